// The extension for VS Code: it finds the program `blazon` and lets the editor talk to `blazon lsp`.

'use strict';

const fs = require('fs');
const os = require('os');
const path = require('path');
const vscode = require('vscode');
const { LanguageClient, TransportKind } = require('vscode-languageclient/node');

let client = null;

/**
 * The file of a program, looked for on the path if it is a name alone; null if there is none. It is never looked for in the
 * folder that is open: a page from a stranger must not bring a program along.
 */
function findProgram(program) {
  const named = program.replace(/^~(?=[\\/])/, os.homedir());
  const folders = path.basename(named) === named
    ? (process.env.PATH || '').split(path.delimiter).filter((folder) => path.isAbsolute(folder))
    : [workspaceFolder()];
  const endings = process.platform === 'win32' ? ['.exe', ''] : [''];
  for (const folder of folders) {
    const found = endings.map((ending) => path.resolve(folder, named + ending)).find(isProgram);
    if (found) return found;
  }
  return null;
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/** What a path in the settings is relative to. */
function workspaceFolder() {
  const [first] = vscode.workspace.workspaceFolders || [];
  return first ? first.uri.fsPath : os.homedir();
}

/** Says that there is no program, and what to do about it. */
async function tellMissing(program) {
  const settings = 'Open settings';
  const chosen = await vscode.window.showErrorMessage(
    `Blazon: the program \`${program}\` is not found, so pages are coloured but not checked. Install it `
      + '(`cargo install --path interpreter/cli` in its repository), or say in the setting `blazon.path` where it is.',
    settings,
  );
  if (chosen === settings) await vscode.commands.executeCommand('workbench.action.openSettings', 'blazon.path');
}

async function start() {
  const program = vscode.workspace.getConfiguration('blazon').get('path') || 'blazon';
  const command = findProgram(program);
  if (!command) {
    // Not awaited: the message stands until somebody answers it.
    void tellMissing(program);
    return;
  }
  client = new LanguageClient(
    'blazon',
    'Blazon',
    { command, args: ['lsp'], transport: TransportKind.stdio },
    {
      documentSelector: [{ scheme: 'file', language: 'blazon' }, { scheme: 'untitled', language: 'blazon' }],
      synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.blazon,blazon.ron,*.tsv}') },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = null;
    void vscode.window.showErrorMessage(`Blazon: \`${command} lsp\` does not start: ${error.message || error}`);
  }
}

async function stop() {
  const running = client;
  client = null;
  if (running) await running.stop();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand('blazon.restart', async () => {
      await stop();
      await start();
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (!event.affectsConfiguration('blazon.path')) return;
      await stop();
      await start();
    }),
  );
  await start();
}

module.exports = { activate, deactivate: stop };
