// JSON, read here so that numbers keep all their digits and keys their order.

import { entry } from './record.js';
import { count, cutNote, h, section } from './text.js';

export function readJson(text) {
  const shape = /\s*(?:("(?:\\.|[^"\\])*")|([[\]{},:])|([^\s[\]{},:"]+))/y;
  const next = () => shape.exec(text);
  const value = token => {
    if (token[2] === '[' || token[2] === '{') {
      const items = [];
      for (let it = next(); it && it[2] !== ']' && it[2] !== '}'; it = next()) {
        if (it[2] === ',') continue;
        if (token[2] === '[') items.push([null, value(it)]);
        else { next(); items.push([JSON.parse(it[1]), value(next())]); }
      }
      return { open: token[2], items };
    }
    return { text: token[1] || token[3] };
  };
  return value(next());
}

function leaf(text) {
  const kind = text[0] === '"' ? 's' : 'n';
  let shown = text;
  try { if (kind === 's') shown = '"' + JSON.parse(text) + '"'; } catch { shown = text; }
  return h('span', { class: kind }, shown);
}

export function node(key, value, depth) {
  const name = key === null ? [] : [h('span', { class: 'k' }, key), ': '];
  if (!value.open) return h('div', { class: 'row' }, name, leaf(value.text));
  const close = value.open === '[' ? ']' : '}';
  if (!value.items.length) return h('div', { class: 'row' }, name, value.open + close);
  const what = value.open === '[' ? 'item' : 'key';
  const summary = h('summary', {}, name, value.open, h('span', { class: 'dim' }, ` ${count(value.items.length, what)} `), close);
  const it = h('details', {}, summary, value.items.map(([key, one]) => node(key, one, depth + 1)));
  it.open = depth < 2 && value.items.length <= 20;
  return it;
}

export function json(at) {
  const it = entry(at);
  if (!it) return null;
  if (it[1]) return h('div', { class: 'box' }, h('pre', {}, it[0]), cutNote(it));
  if (it[0].length <= 100) return h('span', { class: 'mono' }, it[0]);
  return h('div', { class: 'box mono json' }, node(null, readJson(it[0]), 0));
}

// JSON with a title, folded if it is long.
export function value(title, at) {
  const it = entry(at);
  const parts = it && it[0].split(/[,[{]/).length;
  return it && section(title, `${it[1] || Array.from(it[0]).length} characters`, it[0].length > 1000 || parts > 20, json(at));
}
