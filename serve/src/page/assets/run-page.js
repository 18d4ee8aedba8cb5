// A run as it happens: what `ptc view` draws, its open questions, and what can be done with it.

import { ask, get, listen, part } from './api.js';
import { doubts } from './doubts.js';
import { drawing } from './drawing.js';
import { button, keyed, renew, say } from './parts.js';
import { question } from './questions.js';
import { data, entry, load, runs } from './record.js';
import { root, runNode, tree } from './run.js';
import { clean, count, h, state, when } from './text.js';
import { addTools } from './turn-tools.js';

export async function runPage(box, id, place) {
  const head = h('div', { class: 'head' }), asked = h('div'), writes = h('div', { 'aria-hidden': 'true' }), parts = h('div');
  box.append(head, asked, parts, writes);
  let before = null, writing = '';
  const drawn = drawing(box, place, async () => {
    const given = await get(`/v1/runs/${part(id)}/page`);
    const { questions } = await get('/v1/questions');
    if (place.signal.aborted) return;
    load(given);
    const run = runs.get(id);
    const now = state(run);
    if (before !== null && before !== now) say(`The run is ${now}`);
    before = now;
    place.title(`${run.agent}: ${now}`);
    renew(head, headOf(run, drawn.now));
    const nodes = runNode(run).map((node, at) => keyed(at < 2 ? `part-${at}` : node.id, node));
    run.turn_records.forEach((turn, at) => {
      const box = nodes[at + 2];
      const program = entry(turn.program);
      if (turn.ended_at !== null) addTools(box, run.run, turn.turn, program && !program[1] ? program[0].replace(/\s+$/, '') : null);
    });
    acts(nodes[0], run);
    renew(parts, nodes);
    const top = root(run);
    const below = data.runs.some(it => it.parent && it.parent.run === top.run);
    renewTree(below || run !== top ? tree(top, run) : []);
    if (run.ended_at !== null || run.status === 'waiting') writing = '';
    drawWriting();
    const mine = new Set(data.runs.map(it => it.run));
    const unclear = hasDoubts(run) ? [doubts(run, drawn.now)] : [];
    renew(asked, [...unclear, ...questions.filter(it => mine.has(it.run)).map(it => question(it, false))]);
  }, 150);
  const drawWriting = () => {
    writes.replaceChildren(...(writing ? [h('section', { class: 'writing' }, h('h3', {}, 'the model writes'), h('pre', { class: 'box' }, writing))] : []));
  };
  // Before the first drawing, so that nothing is missed that happens meanwhile.
  listen(place.signal, event => {
    if (event && event.run !== id && !runs.has(event.run) && !(event.parent && runs.has(event.parent.run))) return;
    if (event && event.event === 'reply-text') {
      if (event.run === id) { writing += event.text; drawWriting(); }
      return;
    }
    if (event && event.event === 'model-replied' && event.run === id) writing = '';
    drawn.soon();
  });
  await drawn.now();
}

// The calls in doubt of a sub-agent are those of the run that nobody called, too.
const hasDoubts = run => !run.parent && run.stop === 'in-doubt' && Boolean(run.error && run.error.in_doubt && run.error.in_doubt.length);

function renewTree(nodes) {
  const nav = document.getElementById('tree');
  renew(nav, nodes.map((node, at) => keyed(`tree-${at}`, node)));
}

function headOf(run, draw) {
  const now = state(run);
  const path = `/v1/runs/${part(run.run)}`;
  const act = (word, body) => async () => { await ask('POST', `${path}/${word}`, body || {}); await draw(); };
  const isRoot = !run.parent;
  const isOpen = ['running', 'queued', 'waiting'].includes(run.status) && !run.died;
  const canResume = run.died || (run.status === 'stopped' && ['cancelled', 'provider', 'time', 'in-doubt', 'store', 'interrupted'].includes(run.stop));
  const buttons = [
    isRoot && isOpen ? button('Cancel', act('cancel'), 'danger') : null,
    isRoot && canResume && !hasDoubts(run) ? button('Resume', act('resume'), 'main') : null,
    h('a', { class: 'button quiet', href: `#agents/${part(run.agent)}` }, 'Agent'),
    run.conversation ? h('a', { class: 'button quiet', href: `#chats/${run.conversation.first}` }, 'Chat') : null].filter(Boolean);
  return [keyed('crumbs', h('nav', { 'aria-label': 'Where', class: 'crumbs' }, h('a', { href: '#runs' }, 'Runs'), ' › ',
    run.parent && runs.has(run.parent.run) ? [h('a', { href: `#${run.parent.run}` }, runs.get(run.parent.run).agent), ' › '] : null, h('span', {}, clean(run.agent)))),
  keyed(`buttons-${now}`, h('div', { class: 'buttons' }, buttons))];
}

// Who did what with the run.
function acts(box, run) {
  const all = [...(run.by ? [{ by: run.by, action: 'started', at: run.started_at }] : []), ...(run.acts || [])];
  if (!all.length) return;
  box.append(h('details', { class: 'fold' }, h('summary', {}, `who did what (${count(all.length, 'act')})`),
    h('ul', { class: 'plain' }, all.map(it => h('li', {}, h('b', {}, it.by), ` ${it.action}`, it.question ? ` question ${it.question.split('.').slice(1).join('.')}` : '',
      h('span', { class: 'dim' }, ` · ${when(it.at)}`))))));
}
