// Texts and elements. Everything of the record reaches the page as text: nothing here writes markup.

import { entry } from './record.js';

// Characters that move or hide text are shown and not obeyed. The table of the library fills the brackets.
const UNSAFE = /[UNSAFE]/gu;
const escaped = c => Array.from(c.length === 1 ? [0] : [0, 1], at => '\\u' + c.charCodeAt(at).toString(16).padStart(4, '0')).join('');
export const clean = text => String(text).replace(UNSAFE, escaped);

export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, clean(value));
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== '') {
      element.append(child instanceof Node ? child : clean(child));
    }
  }
  return element;
}

export const count = (n, what) => n === 1 ? `1 ${what}` : `${n} ${what}s`;

// As the command writes it on a terminal.
export function duration(ms) {
  const tenths = Math.floor((ms + 50) / 100), s = Math.floor((ms + 500) / 1000);
  if (ms < 1000) return `${ms} ms`;
  if (tenths < 600) return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
}

export const length = it => it.ended_at === null ? null : duration(Math.max(0, it.ended_at - it.started_at));
export const took = it => length(it) || 'never ended';
export const state = run => run.died ? 'died' : run.stop ? `${run.status}: ${run.stop}` : run.status;
export const colour = word => /^(returned|finished|value|continued|exited)/.test(word) ? 'good' : /^(queued|running|started|waiting|abandoned)/.test(word) ? 'warn' : 'bad';
export const money = dollars => '$' + dollars.toFixed(9).replace(/(\.\d\d\d*?)0+$/, '$1');

export function when(ms) {
  const it = new Date(ms);
  const two = n => String(n).padStart(2, '0');
  return `${it.getFullYear()}-${two(it.getMonth() + 1)}-${two(it.getDate())} ` +
    `${two(it.getHours())}:${two(it.getMinutes())}:${two(it.getSeconds())}`;
}

export function cutNote([text, all]) {
  return all ? h('div', { class: 'cut' }, `cut here, after ${Array.from(text).length} of ${all} characters`) : null;
}

// What has a title, and folds if it is long.
export const section = (title, size, is_long, box) => is_long
  ? h('details', { class: 'fold' }, h('summary', {}, `${title} (${size})`), box)
  : h('div', {}, h('h3', {}, title), box);

// A text that folds if it is long.
export function block(title, at, open) {
  const it = entry(at);
  if (!it || !it[0].trim()) return null;
  const box = h('div', { class: 'box' }, h('pre', {}, it[0].replace(/\s+$/, '')), cutNote(it));
  const lines = it[0].split('\n').length;
  return section(title, count(lines, 'line'), !open || lines > 30, box);
}
