// Differences of two texts, line by line.

import { h } from './text.js';

// The most lines that are compared; longer texts are shown whole, one after the other.
const MOST = 2000;

// Returns rows of [mark, line]; the mark is `+`, `-` or a space.
export function rows(before, after) {
  const [a, b] = [before, after].map(it => it.split('\n'));
  if (a.length > MOST || b.length > MOST) return [...a.map(it => ['-', it]), ...b.map(it => ['+', it])];
  // Lengths of the longest common parts of the rests.
  const width = b.length + 1;
  const common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const all = [];
  let i = 0, j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { all.push([' ', a[i]]); i += 1; j += 1; }
    else if (i < a.length && (j === b.length || common[(i + 1) * width + j] >= common[i * width + j + 1])) { all.push(['-', a[i]]); i += 1; }
    else { all.push(['+', b[j]]); j += 1; }
  }
  return all;
}

const SPOKEN = { '+': 'added: ', '-': 'removed: ', ' ': '' };

// Draws rows. A mark and a word for screen readers tell what the colour tells.
export const drawn = all => h('pre', { class: 'box difference' }, all.map(([mark, line]) =>
  h('div', { class: mark === '+' ? 'added' : mark === '-' ? 'removed' : '' },
    h('span', { 'aria-hidden': 'true' }, `${mark} `), SPOKEN[mark] ? h('span', { class: 'spoken' }, SPOKEN[mark]) : null, line || ' ')));

// The equal lines that are shown around a change.
const AROUND = 3;

// Leaves out what is far from a change.
function near(all) {
  const changed = all.flatMap(([mark], at) => mark === ' ' ? [] : [at]);
  const kept = all.map((row, at) => changed.some(one => Math.abs(one - at) <= AROUND) ? row : null);
  const shown = [];
  let left = 0;
  const gap = () => { if (left) shown.push([' ', left === 1 ? '… 1 equal line' : `… ${left} equal lines`]); left = 0; };
  for (const row of kept) {
    if (row) { gap(); shown.push(row); } else left += 1;
  }
  gap();
  return shown;
}

export const difference = (before, after) => drawn(near(rows(before, after)));

// The further text of a question, in which lines of a difference begin with their marks.
export function withMarks(text) {
  const lines = text.split('\n');
  if (!lines.some(it => /^[-+] /.test(it))) return h('pre', { class: 'box' }, text);
  return drawn(lines.map(it => /^[-+] /.test(it) ? [it[0], it.slice(2)] : [' ', it]));
}
