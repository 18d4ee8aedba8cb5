// Conversations as chats: a run answers each message.

import { ask, get, listen, part } from './api.js';
import { drawing } from './drawing.js';
import { form as formOf } from './form.js';
import { busy, forget, keyed, labelled, renew, say } from './parts.js';
import { question } from './questions.js';
import { colour, count, h, state, when } from './text.js';

const talks = it => it.message;

export async function chatsPage(box, _, place) {
  place.title('Chats');
  const { agents } = await get('/v1/agents');
  const able = agents.filter(talks);
  const list = h('ul', { class: 'cards' });
  const nothing = h('p', { class: 'dim' }, 'No conversation yet.');
  box.append(h('div', { class: 'head' }, h('h1', {}, 'Chats')),
    h('section', {}, h('h2', {}, 'begin a conversation'), able.length ? h('ul', { class: 'plain' }, able.map(it =>
      h('li', {}, h('a', { href: `#chats/new/${part(it.name)}` }, it.name), ' ', h('span', { class: 'dim small' }, it.description || ''))))
      : h('p', { class: 'dim' }, 'No agent here takes messages: its signature needs an input `message :string`.')),
    list, nothing);
  const drawn = drawing(box, place, async () => {
    const names = new Set(able.map(it => it.name));
    const { runs } = await get('/v1/runs', { roots: 'true', limit: 200 });
    const chats = new Map();
    for (const run of runs.filter(it => names.has(it.agent))) {
      const first = run.conversation ? run.conversation.first : run.run;
      if (!chats.has(first)) chats.set(first, run);
    }
    renew(list, [...chats].map(([first, last]) => keyed(first, h('li', {}, h('a', { href: `#chats/${first}`, class: 'card' }, h('b', {}, last.agent),
      h('span', { class: 'about' }, count(last.conversation ? last.conversation.message : 1, 'message')),
      h('span', { class: 'dim small' }, `${when(last.started_at)} · ${state(last)}`))))));
    nothing.hidden = chats.size > 0;
  }, 400);
  listen(place.signal, drawn.soon);
  await drawn.now();
}

const kept = new Map();

// The message and the answer of a run. Those of a run that has ended do not change.
async function exchange(run) {
  const key = `${run.run} ${run.ended_at}`;
  if (!kept.has(key)) {
    const { runs, texts } = await get(`/v1/runs/${run.run}/page`);
    const own = runs.find(it => it.run === run.run);
    const text = at => at === undefined || at === null ? null : texts[at][0];
    const it = { input: text(own.input), value: text(own.value), error: own.error, fail: own.fail };
    if (run.ended_at === null) return it;
    kept.set(key, it);
  }
  return kept.get(key);
}

const shown = json => { try { const it = JSON.parse(json); return typeof it === 'string' ? it : JSON.stringify(it, null, 2); } catch { return json; } };

export async function chatPage(box, id, place) {
  const isNew = id.startsWith('new/');
  let first = isNew ? null : id, name = isNew ? id.slice(4) : null, last = null;
  if (first) name = (await get(`/v1/runs/${part(first)}`)).agent;
  const agent = await get(`/v1/agents/${part(name)}`);
  place.title(`${name} · chat`);
  const list = h('ol', { class: 'chat', 'aria-label': 'Messages' }), open = h('div');
  // The other inputs of the mission have a form of their own.
  const { properties = {}, required = [], ...rest } = agent.input || {};
  const { [agent.message]: _, ...others } = properties;
  const input = agent.example ? { ...agent.example } : undefined;
  if (input) delete input[agent.message];
  const made = formOf({ ...rest, type: 'object', properties: others, required: required.filter(it => it !== agent.message) }, { id: 'input', label: 'input', start: input });
  const text = h('textarea', { rows: '2', required: '' });
  const send = h('button', { type: 'submit', class: 'main' }, 'Send');
  const form = h('form', { class: 'say' }, labelled('message', 'Message', text),
    Object.keys(others).length ? h('details', { class: 'fold' }, h('summary', {}, 'other inputs'), made.box) : null, h('div', { class: 'buttons' }, send));
  let before = null;
  const drawn = drawing(box, place, async () => {
    if (!first) return;
    const { runs } = await get('/v1/runs', { conversation: first, roots: 'true', limit: 200 });
    const all = runs.reverse();
    // The next message follows the last run that has an answer.
    last = all.filter(it => it.status === 'returned').pop() || null;
    const parts = await Promise.all(all.map(exchange));
    renew(list, all.flatMap((run, at) => messages(run, parts[at], agent.message)));
    const { questions } = await get('/v1/questions', { agent: name });
    renew(open, questions.filter(it => all.some(run => it.run === run.run)).map(it => question(it, false)));
    if (before !== null && list.children.length > before) { say('a new message'); list.lastElementChild?.scrollIntoView({ block: 'nearest' }); }
    before = list.children.length;
  });
  form.addEventListener('submit', event => {
    event.preventDefault();
    forget(form);
    if (!text.value.trim()) { text.focus(); return; }
    busy(send, async () => {
      const other = made.read();
      const fields = other === '{}' || other === 'null' ? '' : `${other.slice(1, -1)},`;
      const body = `{"agent":${JSON.stringify(name)},"input":{${fields}${JSON.stringify(agent.message)}:${JSON.stringify(text.value)}}` +
        `${last ? `,"after":${JSON.stringify(last.run)}` : ''}}`;
      const run = await ask('POST', '/v1/runs', body);
      text.value = '';
      if (!first) { location.hash = `chats/${run.run}`; return; }
      before = null;
      await drawn.now();
      text.focus();
    });
  });
  text.addEventListener('keydown', event => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); form.requestSubmit(); }
  });
  box.append(h('div', { class: 'head' }, h('h1', {}, name)), list, open, h('section', {}, form));
  listen(place.signal, drawn.soon);
  await drawn.now();
}

function messages(run, it, key) {
  let asked = null;
  try { asked = JSON.parse(it.input)[key]; } catch { asked = it.input; }
  const status = h('a', { href: `#${run.run}`, class: `small ${colour(state(run))}` }, run.status === 'returned' ? 'how' : state(run));
  const answer = it.value !== null && run.status === 'returned' ? shown(it.value)
    : it.fail ? it.fail.message : it.error ? it.error.message : run.ended_at === null ? '…' : '';
  return [
    keyed(`${run.run}-asked`, h('li', { class: 'asked' }, h('span', { class: 'spoken' }, 'You: '), h('pre', {}, asked || ''))),
    keyed(`${run.run}-answered`, h('li', { class: 'answered' }, h('span', { class: 'spoken' }, 'Agent: '), h('pre', {}, answer), status))];
}
