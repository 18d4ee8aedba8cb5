// The page of `ptc view`: the list of all runs, going from place to place, and search.

import { data, load, runs } from './record.js';
import { costOf, link, modelOf, root, runNode, tree } from './run.js';
import { clean, colour, count, h, length, money, state, when } from './text.js';

load(JSON.parse(document.getElementById('data').textContent));
const main = document.getElementById('main');
const search = document.getElementById('search');

const chosen = { status: '', agent: '', roots: false };

function index() {
  const totals = h('p', { id: 'totals' });
  const body = h('tbody');
  const hasCost = data.runs.some(run => costOf(run.usage));
  const fill = () => {
    const shown = data.runs.filter(run => (!chosen.status || state(run).startsWith(chosen.status)) &&
      (!chosen.agent || run.agent === chosen.agent) && (!chosen.roots || !run.parent));
    shown.sort((a, b) => a.run < b.run ? 1 : -1);
    body.replaceChildren(...shown.map(run => h('tr', {},
      h('td', { class: 'mono' }, link(run.run)), h('td', {}, when(run.started_at)), h('td', { class: 'num' }, length(run)),
      h('td', { class: colour(state(run)) }, state(run)), h('td', {}, run.parent ? `› ${run.agent}` : run.agent),
      h('td', { class: 'num' }, run.turns), h('td', { class: 'num' }, run.tool_calls),
      h('td', { class: 'num' }, run.usage.input_tokens), h('td', { class: 'num' }, run.usage.output_tokens),
      hasCost ? h('td', { class: 'num' }, costOf(run.usage)) : null, h('td', { title: clean(run.model) }, modelOf(run)))));
    const sum = of => shown.reduce((all, run) => all + (of(run) || 0), 0);
    const states = new Map();
    for (const run of shown) {
      const word = run.died ? 'died' : run.status;
      states.set(word, (states.get(word) || 0) + 1);
    }
    const words = [...states].sort().map(([word, n]) => `${n} ${word}`).join(', ');
    const unknown = shown.filter(run => run.usage.cost === undefined).length;
    const others = unknown ? ` and the unknown cost of ${count(unknown, 'other run')}` : '';
    const cost = shown.some(run => costOf(run.usage)) ? `, ${money(sum(run => run.usage.cost))}${others}` : '';
    totals.textContent = clean(`${count(shown.length, 'run')}${words ? ': ' + words : ''} · ${count(sum(run => run.turns), 'turn')}, ` +
      `${count(sum(run => run.tool_calls), 'call')}, ${sum(run => run.usage.input_tokens)} tokens in, ` +
      `${sum(run => run.usage.output_tokens)} tokens out${cost}`);
  };
  const select = (key, values) => {
    const it = h('select', { 'aria-label': key }, h('option', { value: '' }, `any ${key}`),
      [...new Set(values)].sort().map(value => h('option', { value }, value)));
    it.value = chosen[key];
    it.addEventListener('change', () => { chosen[key] = it.value; fill(); });
    return it;
  };
  const roots = h('input', { type: 'checkbox' });
  roots.checked = chosen.roots;
  roots.addEventListener('change', () => { chosen.roots = roots.checked; fill(); });
  fill();
  document.getElementById('filters').replaceChildren(select('status', data.runs.map(state)),
    select('agent', data.runs.map(run => run.agent)), h('label', {}, roots, 'without sub-agents'));
  const column = (name, kind) => h('th', { class: kind || '' }, name);
  const missing = data.matching > data.listed ? h('p', { class: 'cut' }, `the newest ${data.listed} of ${data.matching} runs`) : null;
  return h('section', {}, h('h1', {}, 'runs'), missing,
    totals,
    h('div', { class: 'wide' }, h('table', {}, h('thead', {}, h('tr', {}, column('run'), column('when'), column('took', 'num'),
      column('status'), column('agent'), column('turns', 'num'), column('calls', 'num'), column('tokens in', 'num'),
      column('tokens out', 'num'), hasCost ? column('cost', 'num') : null, column('model'))), body)));
}

// Going from place to place.

let current;

function show() {
  const hash = decodeURIComponent(location.hash.slice(1));
  const id = hash.split('.')[0];
  const run = runs.get(id) || (data.all ? null : data.runs[0]);
  const nav = document.getElementById('tree');
  if (run !== current || !main.firstChild) {
    current = run;
    document.getElementById('filters').replaceChildren();
    main.replaceChildren(...(run ? runNode(run) : [index()]));
    const top = run && root(run);
    nav.replaceChildren(...(run && (run !== top || data.runs.some(it => it.parent && it.parent.run === top.run)) ? tree(top, run) : []));
    document.getElementById('where').textContent = run ? clean(`${run.agent} · ${run.run}`) : count(data.runs.length, 'run');
    document.title = run ? clean(`${run.agent} · ${state(run)}`) : 'ptc runs';
    scrollTo(0, 0);
    find(false);
  }
  const target = hash.includes('.') && document.getElementById(hash);
  if (target) target.scrollIntoView();
}

// Search: marks what is on the page, and names other runs that have it.

let marks = [], at = -1;
const MOST = 2000;

function find(jump) {
  for (const mark of marks) mark.replaceWith(...mark.childNodes);
  main.normalize();
  marks = [];
  at = -1;
  const wanted = search.value.trim().toLowerCase();
  const said = document.getElementById('found');
  if (!wanted) { said.textContent = ''; return; }
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (let node of nodes) {
    // Lower case may have another length; then the place is not certain.
    const text = node.data.toLowerCase().length === node.data.length ? node.data.toLowerCase() : node.data;
    let from = 0, start;
    let rest = node;
    while (marks.length < MOST && (start = text.indexOf(wanted, from)) >= 0) {
      const hit = rest.splitText(start - (text.length - rest.length));
      rest = hit.splitText(wanted.length);
      const mark = h('mark');
      hit.replaceWith(mark);
      mark.append(hit);
      marks.push(mark);
      from = start + wanted.length;
    }
  }
  const others = data.runs.filter(run => run !== current && holds(run, wanted));
  said.replaceChildren(h('span', {}, count(marks.length, 'place') + (others.length ? ', also in ' : '')),
    ...others.slice(0, 5).flatMap((run, i) => [i ? ', ' : '', h('a', { href: `#${run.run}` }, `${run.agent} ${run.run.slice(-4)}`)]),
    others.length > 5 ? ` and ${others.length - 5} more` : '');
  if (jump) next(1);
}

// All texts of a run, put together once.
const held = new Map();
function holds(run, wanted) {
  if (!held.has(run)) {
    const places = run.turn_records.flatMap(turn => [turn.prompt, turn.reply, turn.program, turn.prints, turn.value,
      ...turn.calls.flatMap(call => [call.args, call.result])]);
    const texts = [run.system, run.input, run.value, ...places].filter(it => it !== null && it !== undefined);
    const rest = JSON.stringify([run.run, run.agent, run.model, run.error, run.fail,
      run.turn_records.map(turn => [turn.error, turn.rejection, turn.calls.map(call => [call.tool, call.error])])]);
    held.set(run, (rest + '\n' + texts.map(it => data.texts[it][0]).join('\n')).toLowerCase());
  }
  return held.get(run).includes(wanted);
}

function next(step) {
  if (!marks.length) return;
  if (at >= 0) marks[at].classList.remove('now');
  at = (at + step + marks.length) % marks.length;
  const mark = marks[at];
  mark.classList.add('now');
  for (let it = mark.parentElement; it; it = it.parentElement) if (it.tagName === 'DETAILS') it.open = true;
  mark.scrollIntoView({ block: 'center' });
}

let typing;
search.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(() => find(true), 150); });
search.addEventListener('keydown', event => {
  if (event.key === 'Enter') { event.preventDefault(); if (marks.length) next(event.shiftKey ? -1 : 1); else find(true); }
  if (event.key === 'Escape') { search.value = ''; find(false); main.focus(); }
});

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT)$/.test(event.target.tagName)) return;
  if (event.key === '/') { event.preventDefault(); search.focus(); search.select(); }
  if (event.key === 'j' || event.key === 'k') {
    const turns = [...main.querySelectorAll('section.turn')];
    const here = turns.findIndex(it => it === document.activeElement);
    const to = turns[Math.min(turns.length - 1, Math.max(0, here + (event.key === 'j' ? 1 : -1)))];
    if (to) { to.focus({ preventScroll: true }); to.scrollIntoView(); }
  }
});

addEventListener('hashchange', show);
document.getElementById('home').hidden = !data.all;
// `?q=WORD` behind the name of the file searches at once.
search.value = new URLSearchParams(location.search).get('q') || '';
show();
if (search.value) find(true);
