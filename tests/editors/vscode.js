// The packed extension: it holds what it needs, starts the program, and shows what that says of a page with a mistake;
// where there is no program it says so.
//
//   node vscode.js EXTENSION.vsix BLAZON GAME
//
// GAME is a folder with a game that may be written to.

'use strict';

const assert = require('assert');
const fs = require('fs');
const Module = require('module');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const { create } = require('./fake-vscode.js');

/** Unpacks a zip file into a folder; returns the names of its files. */
function unzip(file, folder) {
  const bytes = fs.readFileSync(file);
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  assert(end >= 0, `${file} is no zip file`);
  const names = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [method, packed] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset));
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const header = bytes.readUInt32LE(at + 42);
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28);
    const data = bytes.subarray(start, start + packed);
    const target = path.join(folder, name);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    if (!name.endsWith('/')) fs.writeFileSync(target, method === 0 ? data : zlib.inflateRawSync(data));
    names.push(name);
    at += 46 + nameLength + extra + comment;
  }
  return names;
}

/** The extension, loaded into an editor of its own. */
function load(folder, editor) {
  const original = Module._load;
  Module._load = function (request, ...rest) {
    return request === 'vscode' ? editor.module : original.call(this, request, ...rest);
  };
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(folder)) delete require.cache[file];
  }
  return require(path.join(folder, 'extension', 'extension.js'));
}

/** Waits for diagnostics of a page that satisfy `enough`. */
function diagnosticsOf(editor, page, enough) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`no such diagnostics: ${JSON.stringify([...editor.seen.diagnostics])}`)), 60000,
    );
    const check = () => {
      const found = editor.seen.diagnostics.get(page) || [];
      if (!enough(found)) {
        editor.seen.waiting.push(check);
        return;
      }
      clearTimeout(late);
      resolve(found);
    };
    check();
  });
}

function checkFiles(names, folder) {
  const wanted = [
    'extension/package.json', 'extension/extension.js', 'extension/language-configuration.json', 'extension/LICENSE.txt',
    'extension/syntaxes/blazon.tmLanguage.json', 'extension/node_modules/vscode-languageclient/lib/node/main.js',
    'extension/node_modules/vscode-languageserver-protocol/package.json',
  ];
  for (const name of wanted) assert(names.includes(name), `${name} is missing`);
  const manifest = JSON.parse(fs.readFileSync(path.join(folder, 'extension/package.json'), 'utf8'));
  for (const each of [...manifest.contributes.languages, ...manifest.contributes.grammars]) {
    const file = path.join('extension', each.configuration || each.path);
    assert(names.includes(file), `${file}, which the manifest names, is missing`);
    JSON.parse(fs.readFileSync(path.join(folder, file), 'utf8'));
  }
}

async function withoutProgram(folder, game) {
  const editor = create({ folder: game, settings: { path: '/nowhere/blazon' } });
  await load(folder, editor).activate({ subscriptions: [] });
  assert.deepStrictEqual(editor.seen.errors, [
    'Blazon: the program `/nowhere/blazon` is not found, so pages are coloured but not checked. Install it '
      + '(`cargo install --path interpreter/cli` in its repository), or say in the setting `blazon.path` where it is.',
  ]);
}

/** A program that lies in the open folder is not taken, not even where the path names no folder. */
async function strangersProgram(folder, game) {
  const file = path.join(game, 'blazon');
  fs.writeFileSync(file, '#!/bin/sh\n', { mode: 0o755 });
  const [before, here] = [process.env.PATH, process.cwd()];
  process.env.PATH = `:.${path.delimiter}/nowhere`;
  process.chdir(game);
  const editor = create({ folder: game, settings: {} });
  await load(folder, editor).activate({ subscriptions: [] });
  process.env.PATH = before;
  process.chdir(here);
  fs.unlinkSync(file);
  assert.strictEqual(editor.seen.errors.length, 1);
  assert(editor.seen.errors[0].startsWith('Blazon: the program `blazon` is not found'), editor.seen.errors[0]);
}

async function withProgram(folder, game, blazon) {
  const page = path.join(game, 'mistake.blazon');
  const text = 'rule weary(a: army): flag = a.tird\n';
  fs.writeFileSync(page, text);
  const editor = create({ folder: game, settings: { path: blazon } });
  const extension = load(folder, editor);
  await extension.activate({ subscriptions: [] });
  assert.deepStrictEqual(editor.seen.errors, []);
  const opened = editor.document(page, text);
  editor.module.workspace.textDocuments.push(opened);
  editor.seen.opened.fire(opened);
  const found = await diagnosticsOf(editor, page, (list) => list.length > 0);
  assert(found.some((each) => /tird/.test(each.message)), JSON.stringify(found));
  const { start } = found[0].range;
  assert.deepStrictEqual([start.line, start.character], [0, text.indexOf('tird')]);
  await editor.seen.commands.get('blazon.restart')();
  assert.deepStrictEqual(editor.seen.errors, []);
  await extension.deactivate();
  fs.unlinkSync(page);
}

async function main([vsix, blazon, game]) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'blazon-vsix-'));
  const names = unzip(vsix, folder);
  checkFiles(names, folder);
  await withoutProgram(folder, game);
  await strangersProgram(folder, fs.realpathSync(game));
  await withProgram(folder, fs.realpathSync(game), path.resolve(blazon));
  fs.rmSync(folder, { recursive: true });
  console.log(`VS Code: ${names.length} files, a missing program is told, diagnostics come, the server restarts`);
  process.exit(0);
}

main(process.argv.slice(2)).catch((error) => {
  console.error(error);
  process.exit(1);
});
