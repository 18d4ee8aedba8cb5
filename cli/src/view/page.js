'use strict';
// Everything of the record reaches the page as text: nothing here writes markup.

const data = JSON.parse(document.getElementById('data').textContent);
const runs = new Map(data.runs.map(run => [run.run, run]));
const main = document.getElementById('main');
const search = document.getElementById('search');

// Control characters, and those that turn the direction of writing, are shown and not obeyed.
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2028\u2029\u2060-\u2069\ufeff]/g;
const clean = text => String(text).replace(HIDDEN, c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== '') {
      element.append(child instanceof Node ? child : clean(child));
    }
  }
  return element;
}

const count = (n, what) => n === 1 ? `1 ${what}` : `${n} ${what}s`;
const seconds = ms => ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`;
const took = it => it.ended_at === null ? 'never ended' : seconds(Math.max(0, it.ended_at - it.started_at));
const state = run => run.died ? 'died' : run.stop ? `${run.status}: ${run.stop}` : run.status;
const colour = word => /^(returned|finished|value)/.test(word) ? 'good' : /^(running|started)/.test(word) ? 'warn' : 'bad';
const entry = at => at === null || at === undefined ? null : data.texts[at];
const money = dollars => '$' + dollars.toFixed(9).replace(/(\.\d\d\d*?)0+$/, '$1');

function when(ms) {
  const it = new Date(ms);
  const two = n => String(n).padStart(2, '0');
  return `${it.getFullYear()}-${two(it.getMonth() + 1)}-${two(it.getDate())} ` +
    `${two(it.getHours())}:${two(it.getMinutes())}:${two(it.getSeconds())}`;
}

function cutNote([text, all]) {
  return all ? h('div', { class: 'cut' }, `cut here, after ${Array.from(text).length} of ${all} characters`) : null;
}

// A text that folds if it is long.
function block(title, at, open) {
  const it = entry(at);
  if (!it || !it[0].trim()) return null;
  const box = h('div', { class: 'box' }, h('pre', {}, it[0].replace(/\s+$/, '')), cutNote(it));
  const lines = it[0].split('\n').length;
  if (open && lines <= 30) return h('div', {}, h('h3', {}, title), box);
  return h('details', { class: 'fold' }, h('summary', {}, `${title} (${count(lines, 'line')})`), box);
}

// Programs.

const OUTSIDE = /^(ctx|memory|tool)\//;

function tokens(source) {
  const found = [];
  const shape = /;[^\n]*|"(?:\\[^]|[^"\\])*"?|\\(?:[^][^\s,()[\]{}";]*)?|[\s,]+|[()[\]{}'`~@^#]|[^\s,()[\]{}";]+/g;
  let head = false;
  for (const [word] of source.matchAll(shape)) {
    let kind = '';
    if (word[0] === ';') kind = 'c';
    else if (word[0] === '"' || word[0] === '\\') kind = 's';
    else if (word[0] === ':') kind = 'k';
    else if (/^([-+]?\d|nil$|true$|false$)/.test(word)) kind = 'n';
    else if (OUTSIDE.test(word)) kind = 'o';
    else if (head && /^[^\s,()[\]{}'`~@^#]/.test(word)) kind = 'h';
    found.push([kind, word]);
    head = word === '(' || (head && /^[\s,]+$/.test(word));
  }
  return found;
}

// Where the form ends that starts at an offset.
function formEnd(all, start) {
  let at = 0, depth = 0, begun = false;
  for (const [, word] of all) {
    if (at >= start || at + word.length > start) {
      begun = true;
      if ('([{'.includes(word)) depth += 1;
      else if (')]}'.includes(word)) depth -= 1;
      else if (/^['`~@^#]$/.test(word)) { at += word.length; continue; }
      if (depth <= 0) return at + word.length;
    }
    at += word.length;
  }
  return begun ? at : start;
}

function place(lines, error) {
  const line = error && lines[error.line - 1];
  if (line === undefined || !error.column) return null;
  const before = Array.from(line).slice(0, error.column - 1).join('').length;
  return lines.slice(0, error.line - 1).reduce((sum, it) => sum + it.length + 1, 0) + before;
}

function program(title, text, errors) {
  const source = text.replace(/\s+$/, '');
  const lines = source.split('\n');
  const all = tokens(source);
  const wrong = errors.map(error => ({ error, start: place(lines, error) })).filter(it => it.start !== null);
  for (const it of wrong) it.end = formEnd(all, it.start);
  const box = h('div', { class: 'box program mono' });
  let no = 0, row;
  const newRow = () => {
    for (const { error } of wrong) {
      if (error.line === no) box.append(h('div', { class: 'said' }, `${error.code}: ${error.message}`));
    }
    no += 1;
    row = h('pre', {});
    box.append(h('span', { class: 'no', 'aria-hidden': 'true' }, no), row);
  };
  newRow();
  let at = 0;
  for (const [kind, word] of all) {
    const end = at + word.length;
    const edges = [at, end, ...wrong.flatMap(it => [it.start, it.end])].filter(it => it >= at && it <= end);
    edges.sort((a, b) => a - b);
    for (let i = 0; i + 1 < edges.length; i += 1) {
      const [from, to] = [edges[i], edges[i + 1]];
      const here = wrong.some(it => it.start <= from && to <= it.end) ? ' here' : '';
      source.slice(from, to).split('\n').forEach((part, index) => {
        if (index > 0) newRow();
        if (part) row.append(kind || here ? h('span', { class: kind + here }, part) : clean(part));
      });
    }
    at = end;
  }
  for (const { error } of wrong) {
    if (error.line === no) box.append(h('div', { class: 'said' }, `${error.code}: ${error.message}`));
  }
  return h('div', {}, h('h3', {}, title), box);
}

// JSON: read here, so that numbers keep all their digits and keys their order.

function readJson(text) {
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

function node(key, value, depth) {
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

function json(at) {
  const it = entry(at);
  if (!it) return null;
  if (it[1]) return h('div', { class: 'box' }, h('pre', {}, it[0]), cutNote(it));
  if (it[0].length <= 100) return h('span', { class: 'mono' }, it[0]);
  return h('div', { class: 'box mono json' }, node(null, readJson(it[0]), 0));
}

// Runs.

function problem(error, kind) {
  if (!error) return null;
  const where = error.line ? ` at ${error.line}:${error.column}` : '';
  const help = [error.help, error.advice].filter(Boolean).join('; or ');
  return h('div', { class: `error ${kind || ''}` }, h('b', {}, `${error.code || 'error'}${where}`),
    `: ${error.message || ''}`, help ? h('div', { class: 'dim' }, help) : null);
}

function fields(...rows) {
  const list = h('dl');
  for (const [name, value] of rows) {
    if (value !== null && value !== undefined && value !== '') list.append(h('dt', {}, name), h('dd', {}, value));
  }
  return list;
}

const link = (id, text) => runs.has(id) ? h('a', { href: `#${id}` }, text || id) : h('span', {}, text || id);
const tokensOf = usage => usage ? `${usage.input_tokens} tokens in, ${usage.output_tokens} out` +
  (usage.cost === undefined ? '' : `, ${money(usage.cost)}`) : null;

function touches(report) {
  const names = list => (list || []).map(it => typeof it === 'string' ? it : it.name).join(' ');
  const memory = report.memory || {};
  const parts = [['calls', report.tools], ['reads ctx', report.ctx], ['reads memory', memory.reads],
    ['writes memory', memory.writes], ['defines', report.defines]];
  return parts.filter(it => it[1] && it[1].length).map(([what, list]) => `${what} ${names(list)}`).join(' · ') || 'touches nothing';
}

function left(budget) {
  const names = [['turns', 'turn'], ['run-tool-calls', 'call'], ['run-fuel', 'fuel'], ['tokens', 'token'], ['seconds', 'second']];
  const parts = names.filter(it => typeof budget[it[0]] === 'number')
    .map(([key, what]) => what === 'fuel' ? `${budget[key]} fuel` : count(budget[key], what));
  if (typeof budget.cost === 'number') parts.push(money(budget.cost));
  return parts.join(', ');
}

function callNode(run, turn, call) {
  const id = `${run.run}.${turn.turn}.${call.call}`;
  const how = call.cached ? 'an earlier call had the result' : took(call);
  return h('div', { class: 'call', id },
    h('b', { class: 'mono' }, call.tool), ' ', h('span', { class: colour(call.status) }, call.status),
    h('span', { class: 'dim' }, ` · ${how} `), call.run ? ['run ', link(call.run)] : null,
    h('div', {}, h('span', { class: 'dim' }, 'with '), json(call.args)),
    call.error ? problem(call.error) : call.result === null ? h('div', { class: 'warn' }, 'nobody knows what came of it')
      : h('div', {}, h('span', { class: 'dim' }, 'gave '), json(call.result)));
}

function turnNode(run, turn) {
  const outcome = turn.outcome || 'never ended';
  const box = h('section', { class: 'turn', id: `${run.run}.${turn.turn}`, tabindex: '-1' },
    h('h2', {}, `turn ${turn.turn} `, h('span', { class: `status ${colour(outcome)}` }, outcome),
      h('span', { class: 'dim' }, ` · ${took(turn)} · ${turn.fuel} fuel`)),
    block(turn.turn === 1 ? 'told to the model' : 'feedback to the model', turn.prompt, turn.turn > 1));
  const errors = turn.rejection || (turn.error ? [turn.error] : []);
  const add = (...nodes) => box.append(...nodes.filter(it => it));
  const written = entry(turn.program);
  if (written) add(program('program', written[0], turn.repair ? [] : errors), cutNote(written));
  if (turn.reply !== null) add(block(written ? 'whole reply' : 'reply', turn.reply, !written));
  if (turn.repair) {
    add(h('div', { class: 'warn' }, turn.repair.message), program('what ran', turn.repair.source || '', errors));
  }
  add(fields(
    ['notes', (turn.notes || []).join('; ')],
    ['admitted', turn.report ? touches(turn.report) : null],
    ['left', turn.budget ? left(turn.budget) : null],
    ['tokens', tokensOf(turn.usage)]));
  add(...(turn.warnings || []).map(it => problem(it, 'warn')));
  add(...errors.map(it => problem(it)));
  if (turn.calls.length) {
    add(h('h3', {}, count(turn.calls.length, 'call')), ...turn.calls.map(call => callNode(run, turn, call)));
  }
  add(...run.warnings.filter(it => it.turn === turn.turn).map(it => problem(it, 'warn')));
  add(block('printed', turn.prints, true), block('value', turn.value, true));
  return box;
}

function timeline(run) {
  const ends = run.turn_records.flatMap(turn => [turn.ended_at, ...turn.calls.map(call => call.ended_at)]);
  const end = Math.max(run.ended_at || 0, run.started_at + 1, ...ends.filter(it => it), ...run.turn_records.map(it => it.started_at));
  const whole = end - run.started_at;
  const bar = (it, name, href, kind) => {
    const element = h('a', { href: `#${href}`, class: kind, title: clean(`${name}, ${took(it)}`), 'aria-label': clean(`${name}, ${took(it)}`) });
    const from = (it.started_at - run.started_at) / whole * 100;
    element.style.left = `${Math.min(99.5, Math.max(0, from))}%`;
    element.style.width = `${Math.max(0, ((it.ended_at || end) - it.started_at) / whole * 100)}%`;
    return element;
  };
  const box = h('div', { class: 'time' });
  const row = (name, bars) => box.append(h('div', { class: 'name' }, name), h('div', { class: 'lane' }, bars));
  row('turns', run.turn_records.map(turn => bar(turn, `turn ${turn.turn}`, `${run.run}.${turn.turn}`,
    turn.outcome === 'error' ? 'turn failed' : 'turn')));
  // Calls that are made side by side get lanes of their own.
  const lanes = [];
  for (const turn of run.turn_records) {
    for (const call of turn.calls) {
      const free = lanes.find(lane => {
        const last = lane[lane.length - 1];
        return last.turn !== turn || last.call.cached || (last.call.ended_at !== null &&
          last.call.ended_at <= call.started_at && !together(last.call, call));
      });
      (free || lanes[lanes.push([]) - 1]).push({ turn, call });
    }
  }
  lanes.forEach((lane, index) => row(index ? '' : 'calls', lane.map(({ turn, call }) =>
    bar(call, call.tool, `${run.run}.${turn.turn}.${call.call}`, call.status === 'failed' ? 'failed' : 'call'))));
  box.append(h('div', { class: 'axis' }, h('span', {}, '0'), h('span', {}, seconds(whole))));
  return box;
}

// Whether two calls were made by branches of the same fork: their places have several numbers then.
function together(one, other) {
  const [a, b] = [one.call.split('.'), other.call.split('.')];
  return a.length > 2 && b.length > 2 && a[0] === b[0] && a[1] !== b[1] && one.ended_at >= other.started_at;
}

function runNode(run) {
  const mission = (entry(run.system) || [''])[0].split('# Mission\n').pop().trim();
  const parent = run.parent;
  const head = h('section', {},
    h('h1', {}, run.agent, ' ', h('span', { class: `status ${colour(state(run))}` }, state(run))),
    problem(run.error),
    run.fail ? problem({ code: run.fail.reason, message: run.fail.message }) : null,
    run.status === 'returned' ? [h('h3', {}, 'value'), json(run.value)] : null,
    fields(
      ['run', h('span', { class: 'mono' }, run.run)],
      ['called by', parent ? [link(parent.run), `, turn ${parent.turn}, call ${parent.call}`] : null],
      ['goes on from', run.origin ? [link(run.origin.run), `, of which ${count(run.origin.turns, 'turn')} are kept`] : null],
      ['model', run.model],
      ['signature', run.signature ? h('span', { class: 'mono' }, run.signature) : null],
      ['when', `${when(run.started_at)}, took ${took(run)}`],
      ['used', `${run.turns} of ${count(run.max_turns, 'turn')}, ${count(run.tool_calls, 'tool call')}, ${run.fuel} fuel, ${tokensOf(run.usage)}`]),
    h('h3', {}, 'mission'), h('pre', {}, mission),
    h('h3', {}, 'input'), json(run.input),
    block('whole system prompt', run.system, false),
    ...run.warnings.filter(it => it.turn === 0).map(it => problem(it, 'warn')));
  return [head, h('section', {}, h('h2', {}, 'timeline'), timeline(run)),
    ...run.turn_records.map(turn => turnNode(run, turn))];
}

function root(run) {
  const seen = new Set();
  while (run.parent && runs.has(run.parent.run) && !seen.has(run.run)) {
    seen.add(run.run);
    run = runs.get(run.parent.run);
  }
  return run;
}

function tree(top, current) {
  const one = run => {
    const children = data.runs.filter(it => it.parent && it.parent.run === run.run);
    const name = h('a', { href: `#${run.run}` }, h('span', { class: colour(state(run)) }, '● '), run.agent);
    if (run === current) name.setAttribute('aria-current', 'page');
    name.title = clean(`${run.run} · ${state(run)}`);
    return h('li', {}, name, children.length ? h('ul', {}, children.map(one)) : null);
  };
  return [h('h2', {}, 'sub-agents'), h('ul', {}, one(top))];
}

// The list of all runs.

const chosen = { status: '', agent: '', roots: false };

function index() {
  const totals = h('p', { id: 'totals' });
  const body = h('tbody');
  const fill = () => {
    const shown = data.runs.filter(run => (!chosen.status || state(run).startsWith(chosen.status)) &&
      (!chosen.agent || run.agent === chosen.agent) && (!chosen.roots || !run.parent));
    shown.sort((a, b) => a.run < b.run ? 1 : -1);
    body.replaceChildren(...shown.map(run => h('tr', {},
      h('td', { class: 'mono' }, link(run.run)), h('td', {}, when(run.started_at)),
      h('td', { class: colour(state(run)) }, state(run)), h('td', {}, run.parent ? `› ${run.agent}` : run.agent),
      h('td', { class: 'num' }, run.turns), h('td', { class: 'num' }, run.tool_calls),
      h('td', { class: 'num' }, run.usage.input_tokens + run.usage.output_tokens),
      h('td', { class: 'num' }, run.usage.cost === undefined ? '' : money(run.usage.cost)))));
    const sum = of => shown.reduce((all, run) => all + (of(run) || 0), 0);
    const states = new Map();
    for (const run of shown) {
      const word = run.died ? 'died' : run.status;
      states.set(word, (states.get(word) || 0) + 1);
    }
    const words = [...states].sort().map(([word, n]) => `${n} ${word}`).join(', ');
    const cost = shown.some(run => run.usage.cost !== undefined) ? `, ${money(sum(run => run.usage.cost))}` : '';
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
  const column = (name, kind) => h('th', { class: kind || '' }, name);
  const missing = data.matching > data.listed ? h('p', { class: 'cut' }, `the newest ${data.listed} of ${data.matching} runs`) : null;
  return h('section', {}, h('h1', {}, 'runs'), missing,
    h('div', { class: 'filters' }, select('status', data.runs.map(state)), select('agent', data.runs.map(run => run.agent)),
      h('label', {}, roots, ' without sub-agents')),
    totals,
    h('div', { class: 'wide' }, h('table', {}, h('thead', {}, h('tr', {}, column('run'), column('when'), column('status'),
      column('agent'), column('turns', 'num'), column('calls', 'num'), column('tokens', 'num'), column('cost', 'num'))), body)));
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
