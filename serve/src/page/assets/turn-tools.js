// What can be done with a turn: its program is edited and replayed in place, and the run goes on from it with a model.

import { ask, part } from './api.js';
import { difference } from './difference.js';
import { busy, button, forget, labelled, say } from './parts.js';
import { count, h } from './text.js';

// Adds the tools below a turn. `source` is its program, or null.
export function addTools(box, run, turn, source) {
  const place = h('div');
  const buttons = h('div', { class: 'buttons tools' },
    source === null ? null : button('Edit and replay', () => edit(place, run, turn, source), 'quiet'),
    button('Fork from here', () => fork(place, run, turn), 'quiet'));
  box.append(buttons, place);
}

function opened(place, ...inside) {
  const panel = h('div', { class: 'panel', 'data-held': '' }, inside);
  place.replaceChildren(panel);
  return panel;
}

const closed = place => button('Close', () => place.replaceChildren(), 'quiet');

function edit(place, run, turn, source) {
  const field = h('textarea', { class: 'mono', rows: String(Math.min(30, source.split('\n').length + 1)), spellcheck: 'false', autocapitalize: 'off' });
  field.value = source;
  const result = h('div', { 'aria-live': 'polite' });
  const replay = button('Replay', async () => {
    forget(panel);
    const it = await ask('POST', `/v1/runs/${part(run)}/replay`, { turn, program: field.value });
    result.replaceChildren(...outcome(it, source, field.value));
    say(`Replayed: ${it.is ? it.is.outcome : 'done'}`);
  }, 'main');
  const panel = opened(place, labelled(`program-${run}-${turn}`, `Program of turn ${turn}`, field,
    'A replay asks no model and calls no tool: calls get their results of the record. Nothing is changed.'),
  h('div', { class: 'buttons' }, replay, closed(place)), result);
  field.focus();
}

const text = value => value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value, null, 2);

function told(it) {
  if (!it) return '';
  const errors = [...(it.rejection || []), ...(it.error ? [it.error] : [])].map(one => `${one.code}${one.line ? ` at ${one.line}:${one.column}` : ''}: ${one.message}`);
  const prints = Array.isArray(it.prints) ? it.prints.join('\n') : text(it.prints);
  return [`outcome ${it.outcome}`, text(it.value) ? `value ${text(it.value)}` : null, ...errors, prints ? `printed\n${prints}` : null, `fuel ${it.fuel}`]
    .filter(one => one !== null).join('\n');
}

function outcome(it, before, after) {
  const missing = (it.calls || []).filter(one => one.on_record === false);
  return [
    h('h3', {}, 'program'), difference(before, after),
    h('h3', {}, 'outcome'), difference(told(it.was), told(it.is)),
    missing.length ? h('p', { class: 'warn' }, `${count(missing.length, 'call')} of the new program ${missing.length === 1 ? 'is' : 'are'} not on record: ` +
      missing.map(one => one.tool).join(', ')) : null,
    it.report ? h('p', { class: 'good' }, `The run would end: ${it.report.status}`) : null].filter(Boolean);
}

function fork(place, run, turn) {
  const model = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: 'PROTOCOL:MODEL' });
  const start = h('button', { type: 'submit', class: 'main' }, 'Start');
  const form = h('form', {}, labelled(`model-${run}-${turn}`, 'Model', model, `A new run keeps ${count(turn, 'turn')} and goes on. Without a model it asks that of the agent.`),
    h('div', { class: 'buttons' }, start, closed(place)));
  form.addEventListener('submit', event => {
    event.preventDefault();
    forget(form);
    busy(start, async () => {
      const made = await ask('POST', `/v1/runs/${part(run)}/fork`, { turns: turn, ...(model.value.trim() ? { model: model.value.trim() } : {}) });
      location.hash = made.run;
    });
  });
  opened(place, form);
  model.focus();
}
