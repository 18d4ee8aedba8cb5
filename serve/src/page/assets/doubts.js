// Calls in doubt: a person says of each whether it took effect, and the run goes on.

import { ask, part } from './api.js';
import { json } from './json.js';
import { busy, forget, keyed, labelled, say } from './parts.js';
import { runs } from './record.js';
import { clean, count, h } from './text.js';

// Draws the calls in doubt of a run, which has stopped for them.
export function doubts(run, done) {
  const calls = run.error.in_doubt;
  const controls = calls.map((it, at) => call(it, `${run.run}-${at}`));
  const submit = h('button', { type: 'submit', class: 'main' }, 'Resume');
  const titleId = `doubts-${run.run}`;
  const form = h('form', { novalidate: '' }, controls.map(it => it.box), h('div', { class: 'buttons' }, submit));
  const box = h('section', { class: 'question', 'aria-labelledby': titleId },
    h('h2', { id: titleId }, `${count(calls.length, 'call')} in doubt`),
    h('p', {}, 'The process died during the calls below. Look at what they did, and say what happened.'), form);
  form.addEventListener('input', () => { box.dataset.held = ''; });
  form.addEventListener('submit', event => {
    event.preventDefault();
    forget(form);
    busy(submit, async () => {
      const read = controls.map(it => it.read());
      // The results are sent as they were written, so that integers keep all their digits.
      const results = read.filter(it => it.result !== undefined).map(it => `${JSON.stringify(it.call)}:${it.result}`);
      const again = read.filter(it => it.result === undefined).map(it => it.call);
      await ask('POST', `/v1/runs/${part(run.run)}/resume`, `{"done":{${results.join(',')}},"retry":${JSON.stringify(again)}}`);
      delete box.dataset.held;
      box.dataset.key = `${titleId}-decided`;
      say('The run goes on.');
      await done();
    });
  });
  return keyed(`${titleId}-${calls.map(it => it.call).join('-')}`, box);
}

// The controls of a call: whether it took effect, and with which result.
function call(it, id) {
  const [run, turn, ...rest] = it.call.split('.');
  const record = runs.get(run);
  const turns = record ? record.turn_records : [];
  const made = turns.filter(one => String(one.turn) === turn).flatMap(one => one.calls).find(one => one.call === rest.join('.'));
  const radio = (value, text) => {
    const input = h('input', { type: 'radio', name: id, value });
    return [input, h('div', {}, h('label', { class: 'check' }, input, h('span', {}, text)))];
  };
  const [took, tookBox] = radio('done', 'It took effect');
  const [none, noneBox] = radio('retry', 'It did not: make it again');
  const result = h('textarea', { class: 'mono', rows: '2', spellcheck: 'false', autocapitalize: 'off' });
  result.value = 'null';
  const field = labelled(`result-${id}`, 'Its result, as JSON', result, 'The program goes on with it.');
  field.hidden = true;
  for (const input of [took, none]) input.addEventListener('change', () => { field.hidden = !took.checked; });
  const box = h('fieldset', {}, h('legend', {}, clean(it.tool)), made ? h('div', {}, h('span', { class: 'dim' }, 'with '), json(made.args)) : null,
    tookBox, noneBox, field);
  const read = () => {
    const wrong = what => Object.assign(new Error(`${it.tool}: ${what}`), { code: 'answer' });
    if (none.checked) return { call: it.call };
    if (!took.checked) throw wrong('say whether it took effect');
    try { JSON.parse(result.value); } catch { throw wrong('the result is not JSON'); }
    return { call: it.call, result: result.value };
  };
  return { box, read };
}
