// As much of VS Code's module `vscode` as the extension and the language client under it use: documents, diagnostics,
// commands and messages are kept where a test can read them. What is not modelled is a function that gives a disposable.

'use strict';

const path = require('path');
const { pathToFileURL, fileURLToPath } = require('url');

class Emitter {
  constructor() {
    this.listeners = [];
    this.event = (listener, self) => {
      this.listeners.push(self ? listener.bind(self) : listener);
      return { dispose: () => {} };
    };
  }

  fire(value) {
    return this.listeners.map((listener) => listener(value));
  }

  dispose() {}
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end, lastLine, lastCharacter) {
    this.start = typeof start === 'number' ? new Position(start, end) : start;
    this.end = typeof start === 'number' ? new Position(lastLine, lastCharacter) : end;
  }
}

class Uri {
  constructor(fsPath) {
    Object.assign(this, { scheme: 'file', authority: '', path: fsPath, fsPath, query: '', fragment: '' });
  }

  static file(fsPath) {
    return new Uri(fsPath);
  }

  static parse(text) {
    return new Uri(fileURLToPath(text));
  }

  toString() {
    return pathToFileURL(this.fsPath).href;
  }

  with() {
    return this;
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class CodeActionKind {
  constructor(value) {
    this.value = value;
  }

  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}
CodeActionKind.Empty = new CodeActionKind('');

class CancellationTokenSource {
  constructor() {
    this.token = { isCancellationRequested: false, onCancellationRequested: new Emitter().event };
  }

  cancel() {}

  dispose() {}
}

/** A document as the editor holds it. */
function document(file, text) {
  const lines = text.split('\n');
  return {
    uri: Uri.file(file), fileName: file, languageId: 'blazon', version: 1, isClosed: false, isUntitled: false,
    lineCount: lines.length, getText: () => text, lineAt: (line) => ({ text: lines[line] }),
  };
}

/** A namespace: what is given, and for every other name an event, an empty list or a function that registers. */
function namespace(given) {
  return new Proxy(given, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return target[key];
      if (/^on(Did|Will)/.test(key)) return (target[key] = new Emitter().event);
      return () => ({ dispose: () => {} });
    },
  });
}

/** Classes and enums that only must be there. */
function withClasses(module) {
  return new Proxy(module, {
    get(target, key) {
      if (key in target || typeof key === 'symbol') return target[key];
      return (target[key] = class {
        constructor(...given) {
          this.given = given;
        }
      });
    },
    has: () => true,
  });
}

/** The module, and what happened to it. */
function create({ folder, settings }) {
  const seen = { diagnostics: new Map(), errors: [], commands: new Map(), opened: new Emitter(), waiting: [] };
  const keep = (uri, list) => {
    seen.diagnostics.set(uri.fsPath, list || []);
    seen.waiting.splice(0).forEach((check) => check());
  };
  const configuration = {
    get: (key, other) => (key in settings ? settings[key] : other), has: () => false, inspect: () => undefined,
  };
  const channel = namespace({ appendLine: () => {}, append: () => {}, dispose: () => {}, show: () => {}, logLevel: 0 });
  const workspace = namespace({
    textDocuments: [], notebookDocuments: [], isTrusted: true, onDidOpenTextDocument: seen.opened.event,
    workspaceFolders: [{ uri: Uri.file(folder), name: path.basename(folder), index: 0 }],
    getConfiguration: () => configuration,
    getWorkspaceFolder: () => undefined,
    createFileSystemWatcher: () => namespace({ dispose: () => {} }),
  });
  const window = namespace({
    visibleTextEditors: [], visibleNotebookEditors: [], activeTextEditor: undefined,
    tabGroups: namespace({ all: [] }),
    createOutputChannel: () => channel,
    showErrorMessage: async (message) => {
      seen.errors.push(message);
    },
  });
  const languages = namespace({
    createDiagnosticCollection: () => ({
      set: keep, delete: (uri) => keep(uri, []), clear: () => {}, dispose: () => {}, get: () => [], has: () => false,
    }),
    match: (selector, page) => [selector].flat().some((each) => each.language === page.languageId) ? 10 : 0,
  });
  const commands = namespace({
    registerCommand: (name, run) => {
      seen.commands.set(name, run);
      return { dispose: () => {} };
    },
    executeCommand: async () => undefined,
  });
  const module = withClasses({
    workspace, window, languages, commands, Position, Range, Uri, Diagnostic, CancellationTokenSource, CodeActionKind,
    EventEmitter: Emitter, env: { language: 'en', appName: 'test', machineId: 'test' }, version: '1.106.0',
    extensions: namespace({ all: [] }),
    Disposable: class {
      constructor(dispose) {
        this.dispose = dispose || (() => {});
      }

      static from() {
        return { dispose: () => {} };
      }
    },
    DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
    CancellationError: class extends Error {},
    LogLevel: { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 },
  });
  return { module, seen, document };
}

module.exports = { create };
