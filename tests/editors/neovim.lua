-- Run in a real Neovim, which has opened `mistake.blazon` of a game with the set-up of the README: colours, then all that
-- a writer asks of the language server, by the functions that keys are bound to.

local buffer = vim.api.nvim_get_current_buf()

local function wait(what, holds)
  if not vim.wait(30000, holds, 20) then
    error('waited in vain for ' .. what)
  end
end

local function equal(what, found, wanted)
  if found ~= wanted then
    error(what .. ': ' .. vim.inspect(found) .. ' instead of ' .. vim.inspect(wanted))
  end
end

local function lines()
  return vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
end

-- Puts the cursor on the first letter of a word of a line, counted from 1.
local function go_to(line, word)
  vim.api.nvim_set_current_buf(buffer)
  local column = assert(lines()[line]:find(word, 1, true), word .. ' is not in line ' .. line)
  vim.api.nvim_win_set_cursor(0, { line, column - 1 })
end

local function errors()
  return vim.diagnostic.get(buffer, { severity = vim.diagnostic.severity.ERROR })
end

local function query(name)
  return (vim.treesitter.query.get or vim.treesitter.query.get_query)('blazon', name)
end

local tests = {}

function tests.colours()
  equal('the type of the file', vim.bo.filetype, 'blazon')
  assert(vim.treesitter.highlighter.active[buffer], 'no colours are shown')
  local highlights, found = query('highlights'), {}
  local root = vim.treesitter.get_parser(buffer, 'blazon'):parse()[1]:root()
  for id, node in highlights:iter_captures(root, buffer, 0, -1) do
    local row, first, _, last = node:range()
    table.insert(found, highlights.captures[id] .. ' ' .. lines()[row + 1]:sub(first + 1, last))
  end
  local wanted = { 'keyword rule', 'function weary', 'variable.parameter a', 'type army', 'property tird' }
  for _, each in ipairs(wanted) do
    assert(vim.tbl_contains(found, each), each .. ' is not among ' .. vim.inspect(found))
  end
  for _, name in ipairs({ 'folds', 'indents', 'textobjects' }) do
    assert(query(name), 'the query ' .. name .. ' does not load')
  end
end

-- From 0.9 on Neovim folds by the parser.
function tests.folds()
  if not vim.treesitter.foldexpr then
    return
  end
  local before = lines()
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { 'step rest {', '  if x {', '    round', '  }', '}', '' })
  local first = #before + 1
  vim.cmd('normal! zx')
  wait('the folds', function()
    return vim.fn.foldlevel(first) == 1 and vim.fn.foldlevel(first + 2) == 2 and vim.fn.foldlevel(first + 5) == 0
  end)
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, before)
end

function tests.mend_a_mistake()
  wait('the mistake', function()
    return #errors() == 1
  end)
  local mistake = errors()[1]
  assert(mistake.message:find('tird', 1, true), mistake.message)
  equal('the line of the mistake', mistake.lnum, 0)
  go_to(1, 'tird')
  vim.ui.select = function(items, _, choose)
    choose(items[1], 1)
  end
  vim.lsp.buf.code_action()
  wait('the mend', function()
    return lines()[1] == 'rule weary(a: army): flag = a.tired'
  end)
  wait('no mistake', function()
    return #errors() == 0
  end)
end

function tests.hover()
  go_to(1, 'tired')
  vim.lsp.buf.hover()
  local shown
  wait('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        local text = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
        shown = { window = window, text = table.concat(text, '\n') }
        return true
      end
    end
  end)
  assert(shown.text:find('tired', 1, true) and shown.text:find('flag', 1, true), shown.text)
  vim.api.nvim_win_close(shown.window, true)
end

function tests.definition()
  go_to(2, 'weary')
  vim.lsp.buf.definition()
  wait('the definition on this page', function()
    return vim.api.nvim_win_get_cursor(0)[1] == 1
  end)
  go_to(1, 'tired')
  vim.lsp.buf.definition()
  wait('the definition on another page', function()
    return vim.api.nvim_buf_get_name(0):match('1%-things%.blazon$')
  end)
  assert(vim.api.nvim_get_current_line():match('state tired'), vim.api.nvim_get_current_line())
  vim.api.nvim_set_current_buf(buffer)
end

function tests.completion()
  local before = lines()
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { 'rule weary(a: army): flag = a.ti' })
  go_to(1, '.')
  local at = vim.lsp.util.make_position_params(0, 'utf-16')
  at.position.character = #lines()[1]
  local labels = {}
  for _, answer in pairs(vim.lsp.buf_request_sync(buffer, 'textDocument/completion', at, 30000) or {}) do
    for _, item in ipairs(answer.result and (answer.result.items or answer.result) or {}) do
      table.insert(labels, item.label)
    end
  end
  assert(vim.tbl_contains(labels, 'tired'), 'tired is not among ' .. vim.inspect(labels))
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, before)
  wait('the page as it was', function()
    return #errors() == 0
  end)
end

function tests.references()
  go_to(1, 'weary')
  vim.lsp.buf.references()
  wait('the references', function()
    return #vim.fn.getqflist() >= 2
  end)
  vim.cmd('cclose')
  vim.api.nvim_set_current_buf(buffer)
end

function tests.rename()
  go_to(1, 'weary')
  vim.lsp.buf.rename('worn out')
  wait('the new name', function()
    return lines()[1]:find('rule worn out(', 1, true) and lines()[2]:find('worn out', 1, true)
  end)
end

function tests.format()
  vim.api.nvim_buf_set_lines(buffer, 0, 1, false, { 'rule   worn out(a:army):flag=a.tired' })
  if vim.lsp.buf.format then
    vim.lsp.buf.format({ timeout_ms = 30000 })
  else
    vim.lsp.buf.formatting_sync(nil, 30000)
  end
  equal('the formatted line', lines()[1], 'rule worn out(a: army): flag = a.tired')
end

function tests.indent()
  vim.api.nvim_buf_set_lines(buffer, -1, -1, false, { 'step rest {        @1' })
  vim.cmd('normal! Goround')
  vim.cmd('normal! o}')
  local all = lines()
  equal('the line in braces', all[#all - 1], '  round')
  equal('the brace', all[#all], '}')
end

local order = { 'colours', 'folds', 'mend_a_mistake', 'hover', 'definition', 'completion', 'references', 'rename', 'format', 'indent' }
for _, name in ipairs(order) do
  local good, message = pcall(tests[name])
  if not good then
    io.stdout:write('Neovim: ' .. name .. ': ' .. tostring(message) .. '\n')
    vim.cmd('cquit')
  end
end
io.stdout:write('Neovim ' .. tostring(vim.version().major) .. '.' .. vim.version().minor .. ': ' .. table.concat(order, ', ') .. '\n')
vim.cmd('qall!')
