// Parts that several places of the page share: buttons, notes of problems, and elements that change in place.

import { clean, h } from './text.js';

export function button(text, work, kind) {
  const it = h('button', { type: 'button', class: kind || '' }, text);
  it.addEventListener('click', () => busy(it, work));
  return it;
}

// Does work for a button. Meanwhile neither it nor the buttons beside it can be pressed.
export async function busy(it, work) {
  if (it.getAttribute('aria-disabled') === 'true') return;
  const all = [it, ...(it.closest('.buttons')?.querySelectorAll('button') ?? [])];
  for (const one of all) one.setAttribute('aria-disabled', 'true');
  try {
    await work(it);
  } catch (problem) {
    note(it, problem);
  } finally {
    for (const one of all) one.removeAttribute('aria-disabled');
  }
}

// Tells a problem beside the element that it is about.
export function note(it, problem) {
  if (!(problem instanceof Error)) throw problem;
  if (problem.name === 'AbortError') return;
  const box = it.closest('form, section, div') || it.parentElement;
  const old = box.querySelector(':scope > .refused');
  const text = h('div', { class: 'error refused', role: 'alert' }, h('b', {}, problem.code || 'error'), `: ${problem.message}`,
    problem.help ? h('div', { class: 'dim' }, problem.help) : null);
  if (old) old.replaceWith(text); else box.append(text);
}

export const forget = box => box.querySelectorAll('.refused').forEach(it => it.remove());

// Tells a screen reader what happened.
export function say(text) {
  document.getElementById('said').textContent = clean(text);
}

// Replaces children by new ones, and keeps those that are equal, and those in which somebody writes or has pressed a button:
// with what is open and focused in them.
export function renew(box, nodes) {
  const old = [...box.children];
  const byKey = new Map(old.filter(it => it.dataset.key).map(it => [it.dataset.key, it]));
  const kept = nodes.map(node => {
    const before = node.dataset && node.dataset.key && byKey.get(node.dataset.key);
    if (!before) return node;
    if (before.matches('[data-held]') || before.querySelector('[data-held], [aria-disabled="true"]')) return before;
    keepOpen(before, node);
    return before.isEqualNode(node) ? before : node;
  });
  const same = kept.length === old.length && kept.every((it, at) => it === old[at]);
  if (!same) {
    const focused = document.activeElement && box.contains(document.activeElement) ? document.activeElement : null;
    const path = focused && focused.id;
    kept.forEach((it, at) => {
      if (box.children[at] !== it) box.insertBefore(it, box.children[at] || null);
    });
    while (box.children.length > kept.length) box.lastElementChild.remove();
    if (path && document.activeElement !== focused) document.getElementById(path)?.focus({ preventScroll: true });
  }
}

// What a person opened or closed stays so.
function keepOpen(before, after) {
  const [old, now] = [before, after].map(it => [...it.querySelectorAll('details')]);
  const title = it => it.querySelector('summary')?.textContent.replace(/\d+/g, '#');
  now.forEach((it, at) => {
    if (old[at] && title(old[at]) === title(it)) it.open = old[at].open;
  });
}

export const keyed = (key, node) => { node.dataset.key = key; return node; };

// A list of choices with a label.
export function select(label, values, chosen, onChange) {
  const it = h('select', { 'aria-label': label }, values.map(([value, text]) => h('option', { value }, text)));
  it.value = chosen;
  it.addEventListener('change', () => onChange(it.value));
  return it;
}

// A field with its label above it. A field that is drawn again has the id that it had, so that `renew` keeps it with the
// caret of one who is about to type.
export function labelled(id, label, field, help) {
  field.id = id;
  const about = help ? h('div', { class: 'dim small', id: `${field.id}-help` }, help) : null;
  if (about) field.setAttribute('aria-describedby', about.id);
  return h('div', { class: 'field' }, h('label', { for: field.id }, label), field, about);
}
