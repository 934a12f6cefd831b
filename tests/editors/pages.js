// Writes lists of pages for the other tests into a folder.
//
//   node pages.js FOLDER
//
// `pages` names every page of the project and every sample of the reference and the tour that is not meant to be
// misread, these written into `samples/`; `damaged` names pages with a piece taken out, doubled or changed.

'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const path = require('path');

const root = path.join(__dirname, '..', '..');

/** All pages of the project; the templates of `blazon new` have gaps to be filled and are none yet. */
function projectPages() {
  return execFileSync('git', ['ls-files', '*.blazon'], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file && !file.startsWith('interpreter/cli/templates/'))
    .map((file) => path.join(root, file));
}

/** Writes the samples of a text; returns their files. */
function writeSamples(text, name, folder) {
  const files = [];
  for (const sample of text.matchAll(/^```blazon([^\n]*)\n(.*?)^```/gms)) {
    if (/error=syntax/.test(sample[1])) continue;
    const line = text.slice(0, sample.index).split('\n').length;
    const file = path.join(folder, `${name}-${line}.blazon`);
    // As in the reference, the sign stands for a tab.
    fs.writeFileSync(file, sample[2].replaceAll('→', '\t'));
    files.push(file);
  }
  return files;
}

/** Numbers that are the same in every run. */
function numbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const PIECES = ['{', '}', '(', ')', '"', "'", '|', '\n', '@', ';', ':', ':=', ' by ', ' in ', '--', 'every ', 'min ', '\u00e9', '\n\nrule '];

function damage(text, random) {
  let out = text;
  for (let times = 1 + random(4); times > 0; times--) {
    const at = random(out.length + 1), length = random(40);
    const put = [() => '', () => out.slice(at, at + length).repeat(2), () => PIECES[random(PIECES.length)]][random(3)]();
    out = out.slice(0, at) + put + out.slice(at + (random(2) ? length : 0));
  }
  return random(4) === 0 ? out.slice(0, random(out.length + 1)) : out;
}

function main([folder]) {
  const samples = path.join(folder, 'samples'), broken = path.join(folder, 'broken');
  fs.mkdirSync(samples, { recursive: true });
  fs.mkdirSync(broken, { recursive: true });
  const project = projectPages();
  const written = ['reference', 'tour'].flatMap((name) =>
    writeSamples(fs.readFileSync(path.join(root, 'grammar', `${name}.md`), 'utf8'), name, samples));
  if (project.length < 200 || written.length < 100) throw new Error(`only ${project.length} pages, ${written.length} samples`);
  const pages = [...project, ...written];
  fs.writeFileSync(path.join(folder, 'pages'), `${pages.join('\n')}\n`);

  const random = numbers(1);
  const damaged = [];
  for (let i = 0; i < 600; i++) {
    const file = path.join(broken, `${i}.blazon`);
    fs.writeFileSync(file, damage(fs.readFileSync(pages[random(pages.length)], 'utf8'), random));
    damaged.push(file);
  }
  fs.writeFileSync(path.join(folder, 'damaged'), `${damaged.join('\n')}\n`);
  console.log(`pages: ${project.length} of the project, ${written.length} samples, ${damaged.length} damaged`);
}

main(process.argv.slice(2));
