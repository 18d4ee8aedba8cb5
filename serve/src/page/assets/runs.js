// The list of runs, as it changes.

import { get, listen } from './api.js';
import { drawing } from './drawing.js';
import { button, keyed, renew, select } from './parts.js';
import { costOf, modelOf } from './run.js';
import { colour, count, h, length, state, when } from './text.js';

const STATUSES = ['running', 'queued', 'waiting', 'returned', 'failed', 'stopped', 'died'];
const chosen = { status: '', agent: '', sub: false };
const NUMBERS = ['took', 'turns', 'calls', 'cost'];
const PAGE = 50;

export async function runsPage(box, _, place) {
  place.title('Runs');
  let limit = PAGE;
  const { agents } = await get('/v1/agents');
  const rows = h('tbody'), totals = h('p', { id: 'totals', class: 'dim' });
  const more = button('Older runs', () => { limit += PAGE; return drawn.now(); }, 'quiet');
  const table = h('div', { class: 'wide', tabindex: '0', role: 'region', 'aria-label': 'Runs' }, h('table', {}, h('thead', {}, h('tr', {},
    ['agent', 'status', 'when', 'took', 'turns', 'calls', 'cost', 'model', 'by'].map(it =>
      h('th', { scope: 'col', class: NUMBERS.includes(it) ? 'num' : '' }, it)))), rows));
  const nothing = h('div', { class: 'empty', hidden: '' }, h('p', {}, 'No run yet.'), h('p', {}, h('a', { href: '#agents', class: 'button' }, 'Start one')));
  const drawn = drawing(box, place, async () => {
    const found = await get('/v1/runs', { status: chosen.status, agent: chosen.agent, roots: chosen.sub ? null : 'true', limit });
    renew(rows, found.runs.map(row));
    const statuses = Object.entries(found.totals.statuses || {}).map(([word, n]) => `${n} ${word}`).join(', ');
    totals.textContent = `${count(found.totals.runs, 'run')}${statuses ? `: ${statuses}` : ''}`;
    more.hidden = found.runs.length >= found.totals.runs;
    nothing.hidden = found.runs.length > 0;
    table.hidden = !nothing.hidden;
  }, 250);
  const filter = key => value => { chosen[key] = value; limit = PAGE; drawn.soon(); };
  const sub = h('input', { type: 'checkbox' });
  sub.checked = chosen.sub;
  sub.addEventListener('change', () => filter('sub')(sub.checked));
  box.append(h('div', { class: 'head' }, h('h1', {}, 'Runs'), h('div', { class: 'tools', role: 'group', 'aria-label': 'Filters' },
    select('Status', [['', 'any status'], ...STATUSES.map(it => [it, it])], chosen.status, filter('status')),
    select('Agent', [['', 'any agent'], ...agents.map(it => [it.name, it.name])], chosen.agent, filter('agent')),
    h('label', { class: 'check' }, sub, h('span', {}, 'with sub-agents')))),
  h('section', {}, totals, table, nothing, h('div', { class: 'buttons' }, more)));
  listen(place.signal, drawn.soon);
  await drawn.now();
}

function row(run) {
  const name = run.conversation ? `${run.agent}, message ${run.conversation.message}` : run.agent;
  const cell = (label, kind, ...inside) => h('td', { class: kind, 'data-label': label }, inside);
  return keyed(run.run, h('tr', {},
    cell('agent', '', run.parent ? h('span', { class: 'dim' }, '› ') : null, h('a', { href: `#${run.run}` }, name)),
    cell('status', '', h('span', { class: `status ${colour(state(run))}` }, state(run))),
    cell('when', 'dim', when(run.started_at)), cell('took', 'num', length(run) || '–'),
    cell('turns', 'num', String(run.turns)), cell('calls', 'num', String(run.tool_calls)),
    cell('cost', 'num', costOf(run.usage) || '–'), cell('model', 'dim', modelOf(run) || '–'), cell('by', 'dim', run.by || '–')));
}
