-- Blazon in Neovim 0.7 and newer: pages are known by their ending, and `lua/blazon/init.lua` does the rest.
if vim.g.loaded_blazon then
  return
end
vim.g.loaded_blazon = true

local group = vim.api.nvim_create_augroup('blazon', {})
vim.api.nvim_create_autocmd({ 'BufRead', 'BufNewFile' }, {
  group = group,
  pattern = '*.blazon',
  command = 'setfiletype blazon',
})
vim.api.nvim_create_autocmd('FileType', {
  group = group,
  pattern = 'blazon',
  callback = function(event)
    require('blazon').attach(event.buf)
  end,
})
