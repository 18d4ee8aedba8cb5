// Programs with their lines, the kinds of their words, and the places of problems.

import { clean, h } from './text.js';

const OUTSIDE = /^(ctx|memory|tool)\//;

export function tokens(source) {
  const found = [];
  const shape = /;[^\n]*|"(?:\\[^]|[^"\\])*"?|\\(?:[^][^\s,()[\]{}";]*)?|[\s,]+|[()[\]{}'`~@^#]|[^\s,()[\]{}";]+/g;
  let head = false;
  for (const [word] of source.matchAll(shape)) {
    let kind = '';
    if (word[0] === ';') kind = 'c';
    else if (word[0] === '"' || word[0] === '\\') kind = 's';
    else if (word[0] === ':') kind = 'k';
    else if (/^([-+]?\d|nil$|true$|false$)/.test(word)) kind = 'n';
    else if (OUTSIDE.test(word)) kind = 'o';
    else if (head && /^[^\s,()[\]{}'`~@^#]/.test(word)) kind = 'h';
    found.push([kind, word]);
    head = word === '(' || (head && /^[\s,]+$/.test(word));
  }
  return found;
}

// Where the form ends that starts at an offset.
function formEnd(all, start) {
  let at = 0, depth = 0, begun = false;
  for (const [, word] of all) {
    if (at >= start || at + word.length > start) {
      begun = true;
      if ('([{'.includes(word)) depth += 1;
      else if (')]}'.includes(word)) depth -= 1;
      else if (/^['`~@^#]$/.test(word)) { at += word.length; continue; }
      if (depth <= 0) return at + word.length;
    }
    at += word.length;
  }
  return begun ? at : start;
}

function place(lines, error) {
  const line = error && lines[error.line - 1];
  if (line === undefined || !error.column) return null;
  const before = Array.from(line).slice(0, error.column - 1).join('').length;
  return lines.slice(0, error.line - 1).reduce((sum, it) => sum + it.length + 1, 0) + before;
}

export function program(title, text, errors) {
  const source = text.replace(/\s+$/, '');
  const lines = source.split('\n');
  const all = tokens(source);
  const wrong = errors.map(error => ({ error, start: place(lines, error) })).filter(it => it.start !== null);
  for (const it of wrong) it.end = formEnd(all, it.start);
  const box = h('div', { class: 'box program mono' });
  let no = 0, row;
  const newRow = () => {
    for (const { error } of wrong) {
      if (error.line === no) box.append(h('div', { class: 'said' }, error.code));
    }
    no += 1;
    row = h('pre', {});
    box.append(h('span', { class: 'no', 'aria-hidden': 'true' }, no), row);
  };
  newRow();
  let at = 0;
  for (const [kind, word] of all) {
    const end = at + word.length;
    const edges = [at, end, ...wrong.flatMap(it => [it.start, it.end])].filter(it => it >= at && it <= end);
    edges.sort((a, b) => a - b);
    for (let i = 0; i + 1 < edges.length; i += 1) {
      const [from, to] = [edges[i], edges[i + 1]];
      const here = wrong.some(it => it.start <= from && to <= it.end) ? ' here' : '';
      source.slice(from, to).split('\n').forEach((part, index) => {
        if (index > 0) newRow();
        if (part) row.append(kind || here ? h('span', { class: kind + here }, part) : clean(part));
      });
    }
    at = end;
  }
  for (const { error } of wrong) {
    if (error.line === no) box.append(h('div', { class: 'said' }, error.code));
  }
  return h('div', {}, h('h3', {}, title), box);
}
