// Agents: what they are told, and a form that starts a run.

import { ask, get, part } from './api.js';
import { form as formOf } from './form.js';
import { busy, forget, labelled } from './parts.js';
import { count, h } from './text.js';

export async function agentsPage(box, _, { title }) {
  title('Agents');
  const { agents } = await get('/v1/agents');
  box.append(h('div', { class: 'head' }, h('h1', {}, 'Agents')), h('ul', { class: 'cards' }, agents.map(it =>
    h('li', {}, h('a', { href: `#agents/${part(it.name)}`, class: 'card' }, h('b', {}, it.name),
      h('span', { class: 'about' }, it.description || ''),
      h('span', { class: 'dim small' }, it.is_workflow ? 'workflow' : it.model || 'no model'))))));
}

export async function agentPage(box, name, { title }) {
  title(name);
  const it = await get(`/v1/agents/${part(name)}`);
  const prompt = it.prompt || {};
  const mayRun = it.level !== 'view';
  box.append(h('div', { class: 'head' }, h('h1', {}, it.name)),
    h('section', {}, it.description ? h('p', { class: 'told' }, it.description) : null,
      h('dl', {}, h('dt', {}, 'model'), h('dd', {}, it.model || (it.is_workflow ? 'a workflow asks none itself' : 'none')),
        it.signature ? [h('dt', {}, 'signature'), h('dd', { class: 'mono' }, it.signature)] : null)),
    mayRun ? starts(it) : null,
    it.tools.length ? h('section', {}, h('h2', {}, count(it.tools.length, 'tool')), h('ul', { class: 'plain' }, it.tools.map(tool =>
      h('li', {}, h('b', { class: 'mono' }, tool.name), ' ', h('span', { class: 'tag' }, tool.effect), tool.confirm ? h('span', { class: 'tag' }, 'asks first') : null,
        h('div', { class: 'dim small' }, tool.description || ''), tool.signature ? h('div', { class: 'mono small' }, tool.signature) : null)))) : null,
    it.program ? h('section', {}, h('h2', {}, 'program'), h('pre', { class: 'box' }, it.program)) : null,
    prompt.sections ? h('section', {}, h('h2', {}, 'prompt'),
      h('p', { class: 'dim small' }, `${prompt.sections.reduce((sum, one) => sum + one.tokens, 0)} tokens`),
      prompt.sections.filter(one => one.chars).map(one => h('details', { class: 'fold' },
        h('summary', {}, `${one.title} (${count(one.tokens, 'token')})`), h('pre', { class: 'box' }, one.text)))) : null);
}

function starts(it) {
  const made = formOf(it.input, { id: 'input', label: 'input', start: it.example ?? undefined });
  const model = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false', placeholder: it.model || '' });
  const send = h('button', { type: 'submit', class: 'main' }, 'Start');
  const more = it.is_workflow ? null : h('details', { class: 'fold' }, h('summary', {}, 'settings of this run'),
    labelled('model', 'Model', model, 'PROTOCOL:MODEL; by default that of the agent'));
  const form = h('form', { novalidate: '' }, h('h2', {}, 'start a run'), made.box, more, h('div', { class: 'buttons' }, send));
  form.addEventListener('submit', event => {
    event.preventDefault();
    forget(form);
    busy(send, async () => {
      const settings = model.value.trim() ? `,"settings":${JSON.stringify({ model: model.value.trim() })}` : '';
      const run = await ask('POST', '/v1/runs', `{"agent":${JSON.stringify(it.name)},"input":${made.read()}${settings}}`);
      location.hash = run.run;
    });
  });
  return h('section', { class: 'start' }, form);
}
