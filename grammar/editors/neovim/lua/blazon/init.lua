-- What a buffer with a page of rules gets: colours, folds and indents, and the language server `blazon lsp`.
--
-- The program is `blazon` on the path, or what `vim.g.blazon_path` says.
local M = {}

-- The running servers by the folder they were started for, in Neovim 0.7.
local clients = {}
-- What was told already: a missing program is told once, not for every page.
local told = {}

local function tell(text)
  if not told[text] then
    told[text] = true
    vim.notify('blazon: ' .. text, vim.log.levels.WARN)
  end
end

-- The repository around a page, or else the game's folder, or else the page's own.
local function root_of(buffer)
  local folder = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buffer), ':p:h')
  local repository = vim.fn.finddir('.git', folder .. ';')
  if repository ~= '' then
    return vim.fn.fnamemodify(repository, ':p:h:h')
  end
  local manifest = vim.fn.findfile('blazon.ron', folder .. ';')
  return manifest ~= '' and vim.fn.fnamemodify(manifest, ':p:h') or folder
end

local function start_server(buffer)
  local program = vim.g.blazon_path or 'blazon'
  if vim.fn.executable(program) ~= 1 then
    tell('the program `' .. program .. '` is not found, so there are no messages. Put it on the path, or set vim.g.blazon_path')
    return
  end
  local root = root_of(buffer)
  local server = {
    name = 'blazon',
    cmd = { program, 'lsp' },
    root_dir = root,
    workspace_folders = { { uri = vim.uri_from_fname(root), name = vim.fn.fnamemodify(root, ':t') } },
  }
  if vim.lsp.start then
    vim.lsp.start(server, { bufnr = buffer })
    return
  end
  -- Neovim 0.7 does not remember by itself what is running.
  server.on_exit = function()
    clients[root] = nil
  end
  clients[root] = clients[root] or vim.lsp.start_client(server)
  if clients[root] then
    vim.lsp.buf_attach_client(buffer, clients[root])
  end
end

local function start_colours(buffer)
  local start = vim.treesitter.start
    or function(b, language)
      vim.treesitter.highlighter.new(vim.treesitter.get_parser(b, language))
    end
  if not pcall(start, buffer, 'blazon') then
    tell('there is no parser, so there are no colours. Run grammar/editors/tree-sitter/build')
  end
end

-- How far the line `v:lnum` is indented: two more behind an opening sign, two less where one closes.
function M.indent()
  local line = vim.v.lnum
  local above = vim.fn.prevnonblank(line - 1)
  if above == 0 then
    return 0
  end
  local text = vim.fn.getline(above):gsub('%-%-.*$', ''):gsub('@%S+', ''):gsub('%s+$', '')
  local indent = vim.fn.indent(above)
  if text:match('[%{%(%[]$') then
    indent = indent + vim.fn.shiftwidth()
  end
  if vim.fn.getline(line):match('^%s*[%}%)%]]') then
    indent = indent - vim.fn.shiftwidth()
  end
  return math.max(indent, 0)
end

function M.attach(buffer)
  vim.bo[buffer].commentstring = '-- %s'
  vim.bo[buffer].shiftwidth = 2
  vim.bo[buffer].expandtab = true
  vim.bo[buffer].indentexpr = "v:lua.require'blazon'.indent()"
  vim.bo[buffer].indentkeys = '0},0),0],o,O'
  start_colours(buffer)
  if vim.treesitter.foldexpr and vim.api.nvim_get_current_buf() == buffer then
    vim.wo.foldmethod = 'expr'
    vim.wo.foldexpr = 'v:lua.vim.treesitter.foldexpr()'
    vim.wo.foldlevel = 99
  end
  start_server(buffer)
end

return M
