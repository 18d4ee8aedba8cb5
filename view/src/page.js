'use strict';
// Everything of the record reaches the page as text: nothing here writes markup.

const data = JSON.parse(document.getElementById('data').textContent);
const runs = new Map(data.runs.map(run => [run.run, run]));
const main = document.getElementById('main');
const search = document.getElementById('search');

// Characters that move or hide text are shown and not obeyed. The table of the library fills the brackets.
const UNSAFE = /[UNSAFE]/gu;
const escaped = c => Array.from(c.length === 1 ? [0] : [0, 1], at => '\\u' + c.charCodeAt(at).toString(16).padStart(4, '0')).join('');
const clean = text => String(text).replace(UNSAFE, escaped);

function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, clean(value));
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== '') {
      element.append(child instanceof Node ? child : clean(child));
    }
  }
  return element;
}

const count = (n, what) => n === 1 ? `1 ${what}` : `${n} ${what}s`;

// As the command writes it on a terminal.
function duration(ms) {
  const tenths = Math.floor((ms + 50) / 100), s = Math.floor((ms + 500) / 1000);
  if (ms < 1000) return `${ms} ms`;
  if (tenths < 600) return `${Math.floor(tenths / 10)}.${tenths % 10} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min ${s % 60} s`;
  return `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`;
}

const length = it => it.ended_at === null ? null : duration(Math.max(0, it.ended_at - it.started_at));
const took = it => length(it) || 'never ended';
const state = run => run.died ? 'died' : run.stop ? `${run.status}: ${run.stop}` : run.status;
const colour = word => /^(returned|finished|value|continued|exited)/.test(word) ? 'good' : /^(running|started|waiting|abandoned)/.test(word) ? 'warn' : 'bad';
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

// What has a title, and folds if it is long.
const section = (title, size, is_long, box) => is_long
  ? h('details', { class: 'fold' }, h('summary', {}, `${title} (${size})`), box)
  : h('div', {}, h('h3', {}, title), box);

// A text that folds if it is long.
function block(title, at, open) {
  const it = entry(at);
  if (!it || !it[0].trim()) return null;
  const box = h('div', { class: 'box' }, h('pre', {}, it[0].replace(/\s+$/, '')), cutNote(it));
  const lines = it[0].split('\n').length;
  return section(title, count(lines, 'line'), !open || lines > 30, box);
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
      if (error.line === no) box.append(h('div', { class: 'said' }, error.code));
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
    if (error.line === no) box.append(h('div', { class: 'said' }, error.code));
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

// JSON with a title, folded if it is long.
function value(title, at) {
  const it = entry(at);
  const parts = it && it[0].split(/[,[{]/).length;
  return it && section(title, `${it[1] || Array.from(it[0]).length} characters`, it[0].length > 1000 || parts > 20, json(at));
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

// A recording has no model.
const modelOf = run => run.model.startsWith('recorded:') ? 'recorded' : run.model.slice(run.model.indexOf(':') + 1);
const link = (id, text) => runs.has(id) ? h('a', { href: `#${id}` }, text || id) : h('span', {}, text || id);
// Where no reply came there is nothing to tell.
const costOf = usage => usage.cost || (usage.cost === 0 && usage.input_tokens + usage.output_tokens > 0) ? money(usage.cost) : null;
const tokensOf = usage => usage ? [`${usage.input_tokens} in`, `${usage.output_tokens} out`, costOf(usage)].filter(it => it).join(', ') : null;

function touches(report) {
  const names = list => (list || []).map(it => typeof it === 'string' ? it : it.name).join(' ');
  const memory = report.memory || {};
  const payload = report.payload || {};
  const parts = [['calls', report.tools], ['reads ctx', report.ctx], ['reads memory', memory.reads],
    ['writes memory', memory.writes], ['reads payload', payload.reads], ['changes payload', payload.writes],
    ['defines', report.defines]];
  return parts.filter(it => it[1] && it[1].length).map(([what, list]) => `${what} ${names(list)}`).join(' · ') || 'touches nothing';
}

function left(budget) {
  const names = [['turns', 'turn'], ['run-tool-calls', 'call'], ['run-fuel', 'fuel'], ['tokens', 'token']];
  const parts = names.filter(it => typeof budget[it[0]] === 'number')
    .map(([key, what]) => what === 'fuel' ? `${budget[key]} fuel` : count(budget[key], what));
  if (typeof budget.seconds === 'number') parts.push(duration(Math.round(budget.seconds * 1000)));
  if (typeof budget.cost === 'number') parts.push(money(budget.cost));
  return parts.join(', ');
}

// Binary content of a result. The media type has letters, digits and marks only.
function blobNode(blob) {
  const [kind] = blob.media_type.split('/');
  const src = `data:${blob.media_type};base64,${blob.base64}`;
  const name = `${blob.media_type} ${blob.hash.slice(0, 12)}`;
  return h('div', { class: 'blob' }, h('span', { class: 'dim' }, `${name} `),
    kind === 'image' ? h('img', { src, alt: name }) : kind === 'audio' ? h('audio', { src, controls: '' }) : null);
}

function callNode(run, turn, call) {
  const id = `${run.run}.${turn.turn}.${call.call}`;
  const how = call.cached ? 'an earlier call had the result' : took(call);
  return h('div', { class: 'call', id },
    call.step ? `${call.step} › ` : '', h('b', { class: 'mono' }, call.tool), ' ', h('span', { class: colour(call.status) }, call.status),
    h('span', { class: 'dim' }, ` · ${how} `), call.run ? ['run ', link(call.run)] : null,
    h('div', {}, h('span', { class: 'dim' }, 'with '), json(call.args)),
    call.error ? problem(call.error) : call.result === null ? h('div', { class: 'warn' }, 'outcome unknown')
      : h('div', {}, h('span', { class: 'dim' }, 'gave '), json(call.result)),
    (call.blobs || []).map(blobNode));
}

// What ended the run is told at the top.
const toTheTop = (run, word) => h('p', { class: 'bad' }, h('a', { href: `#${run.run}` }, word), ' ended the run');

// The models that were asked in a turn, if the run went on with another one than it started with.
function modelsOf(run, turn) {
  const requests = turn.requests || [];
  if (!requests.some(it => it.fallback)) return [];
  const models = requests.map(it => it.fallback ? it.fallback.model : run.model);
  return models.filter((it, at) => it !== models[at - 1]);
}

function turnNode(run, turn) {
  const outcome = turn.outcome || 'never ended';
  const box = h('section', { class: 'turn', id: `${run.run}.${turn.turn}`, tabindex: '-1' },
    h('h2', {}, `turn ${turn.turn} `, h('span', { class: `status ${colour(outcome)}` }, outcome),
      h('span', { class: 'dim' }, ` · ${took(turn)} · ${turn.fuel} fuel`)),
    block(turn.turn === 1 ? 'told to the model' : 'feedback to the model', turn.prompt, turn.turn > 1));
  const errors = turn.rejection || (turn.error ? [turn.error] : []);
  const isLast = turn === run.turn_records[run.turn_records.length - 1];
  const ended = it => isLast && run.error && it.code === run.error.code && it.message === run.error.message;
  const add = (...nodes) => box.append(...nodes.filter(it => it));
  const written = entry(turn.program);
  if (written) add(program('program', written[0], turn.repair ? [] : errors), cutNote(written));
  if (turn.reply !== null) add(block(written ? 'whole reply' : 'reply', turn.reply, !written));
  if (turn.repair) {
    add(h('div', { class: 'warn' }, turn.repair.message), program('program that ran', turn.repair.source || '', errors));
  }
  add(fields(
    ['asked', modelsOf(run, turn).join(', then ')],
    ['notes', (turn.notes || []).join('; ')],
    ['admitted', turn.report ? touches(turn.report) : null],
    ['left', turn.budget ? left(turn.budget) : null],
    ['tokens', tokensOf(turn.usage)]));
  add(...(turn.warnings || []).map(it => problem(it, 'warn')));
  add(...errors.map(it => ended(it) ? toTheTop(run, it.code) : problem(it)));
  if (turn.calls.length) {
    add(h('h3', {}, count(turn.calls.length, 'call')), ...turn.calls.map(call => callNode(run, turn, call)));
  }
  add(...run.warnings.filter(it => it.turn === turn.turn).map(it => problem(it, 'warn')));
  add(block('printed', turn.prints, true));
  add(turn.payload === undefined ? null : block('payload', turn.payload, true));
  add(isLast && run.fail && outcome === 'failed' ? toTheTop(run, run.fail.reason) : block('value', turn.value, true));
  return box;
}

// How much of the width goes by the order of what happened; the rest goes by time. So what is short can be seen.
const BY_ORDER = 0.4;

function timeline(run) {
  const lanes = lanesOf(run);
  const items = run.turn_records.map((turn, no) => ({ it: turn, name: turn.turn, said: `turn ${turn.turn}`, href: `${run.run}.${turn.turn}`,
    kind: colour(turn.outcome || '') === 'bad' ? 'failed' : 'turn', from: [no, 0], to: [no, Infinity] }));
  const rows = [['turns', items]];
  for (const lane of lanes) {
    const place = new Map();
    rows.push([[...new Set(lane.map(({ call }) => nameOf(call)))].join(', '), lane.map(({ turn, call }) => {
      const no = run.turn_records.indexOf(turn), at = place.get(no) || 0;
      place.set(no, at + 1);
      return { it: call, name: nameOf(call), href: `${run.run}.${turn.turn}.${call.call}`,
        kind: call.status === 'failed' ? 'failed' : call.run ? 'agent' : 'call', from: [no, 2 * at + 1], to: [no, 2 * at + 2] };
    })]);
  }
  const all = rows.flatMap(([, items]) => items);
  const end = Math.max(run.ended_at || 0, run.started_at + 1, ...all.map(({ it }) => it.ended_at || it.started_at));
  const whole = end - run.started_at;
  // Every start and end, in the order of time; those of one millisecond in the order of the run.
  const keys = new Map();
  const point = (ms, [turn, step]) => {
    const key = [Math.min(end, Math.max(run.started_at, ms)), turn, step];
    keys.set(key.join(), key);
    return key.join();
  };
  point(run.started_at, [-1, 0]);
  point(end, [Infinity, 0]);
  for (const one of all) {
    one.start = point(one.it.started_at, one.from);
    one.end = point(Math.max(one.it.started_at, one.it.ended_at === null ? end : one.it.ended_at), one.to);
  }
  const order = [...keys.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
  const x = new Map(order.map((key, rank) => [key.join(), 100 *
    ((1 - BY_ORDER) * (key[0] - run.started_at) / whole + BY_ORDER * rank / (order.length - 1))]));
  const bar = one => {
    const name = `${one.kind === 'failed' ? '✕ ' : ''}${one.name}`;
    const said = `${one.said || one.name}${one.kind === 'failed' ? ', failed' : ''}, ${one.it.cached ? 'an earlier call had the result' : took(one.it)}`;
    const element = h('a', { href: `#${one.href}`, class: one.kind, title: clean(said), 'aria-label': clean(said) }, name);
    element.style.left = `${x.get(one.start).toFixed(3)}%`;
    element.style.width = `${(x.get(one.end) - x.get(one.start)).toFixed(3)}%`;
    return element;
  };
  const box = h('div', { class: 'time' });
  for (const [name, items] of rows) {
    box.append(h('div', { class: 'name', title: clean(name) }, name), h('div', { class: 'lane' }, items.map(bar)));
  }
  const axis = h('div', { class: 'axis' });
  let last = -Infinity;
  // When turns began; a mark that would be over another one is left out.
  for (const one of [...items.map(one => [x.get(one.start), one.it.started_at - run.started_at]), [100, whole]]) {
    if (one[0] - last < 12) { if (one[0] < 100) continue; axis.lastChild.remove(); }
    last = one[0];
    const mark = h('span', {}, duration(Math.max(0, one[1])));
    mark.style[one[0] > 50 ? 'right' : 'left'] = `${(one[0] > 50 ? 100 - one[0] : one[0]).toFixed(3)}%`;
    axis.append(mark);
  }
  box.append(axis);
  const kinds = [['turn', 'turn'], ['call', 'call of a tool'], ['agent', 'call of a sub-agent'], ['failed', 'failed']];
  const legend = h('p', { class: 'legend' }, kinds.filter(([kind]) => all.some(one => one.kind === kind))
    .map(([kind, name]) => h('span', {}, h('span', { class: `swatch ${kind}`, 'aria-hidden': 'true' }), ` ${name}`)),
  h('span', {}, 'short steps are drawn wider than their time'));
  return [box, legend];
}

const nameOf = call => {
  const run = call.run && runs.get(call.run);
  const tool = run && run.agent !== call.tool ? `${call.tool} › ${run.agent}` : call.tool;
  return call.step ? `${call.step} › ${tool}` : tool;
};

// Calls that are made side by side get lanes of their own.
function lanesOf(run) {
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
  return lanes;
}

// Whether two calls were made by branches of the same fork: their places have several numbers then.
function together(one, other) {
  const [a, b] = [one.call.split('.'), other.call.split('.')];
  return a.length > 2 && b.length > 2 && a[0] === b[0] && a[1] !== b[1] && one.ended_at >= other.started_at;
}

// What a run came to in figures.
function strip(run) {
  const { input_tokens: tokensIn, output_tokens: tokensOut, cached_input_tokens: cached } = run.usage;
  const rows = [
    ['status', h('span', { class: `status ${colour(state(run))}` }, state(run))],
    ['took', length(run) || '–'], ['turns', `${run.turns} of ${run.max_turns}`], ['calls', run.tool_calls],
    ['tokens in', cached ? `${tokensIn} (${cached} cached)` : tokensIn], ['tokens out', tokensOut],
    ['cost', costOf(run.usage) || (tokensIn + tokensOut ? 'unknown' : null)], ['fuel', run.fuel]];
  return h('dl', { class: 'strip' }, rows.filter(it => it[1] !== null).map(([name, it]) => h('div', {}, h('dt', {}, name), h('dd', {}, it))));
}

// A change of the settings on one line. Of the tools that it adds it has the names.
function changeText(change) {
  const { add } = change.tools || {};
  return JSON.stringify(add ? { ...change, tools: { ...change.tools, add: add.map(it => it.name) } } : change);
}

function sourceText(source) {
  const sizes = ['row', 'byte'].filter(it => `${it}s` in source).map(it => count(source[`${it}s`], it));
  const facts = [source.state, ...sizes, ...(source.cached ? ['cached'] : [])].join(', ');
  return `${source.name}: ${facts}${source.error ? `: ${source.error}` : ''}`;
}

function runNode(run) {
  const mission = (entry(run.system) || [''])[0].split('# Mission\n').pop().trim();
  const parent = run.parent, talk = run.conversation;
  const head = h('section', {},
    h('h1', {}, run.agent), strip(run),
    problem(run.error),
    run.fail ? problem({ code: run.fail.reason, message: run.fail.message }) : null,
    run.status === 'returned' ? value('value', run.value) : null,
    fields(
      ['run', h('span', { class: 'mono' }, run.run)],
      ['called by', parent ? [link(parent.run), `, turn ${parent.turn}, call ${parent.call}`] : null],
      ['continues', run.origin ? [link(run.origin.run), `, keeps ${count(run.origin.turns, 'turn')}`] : null],
      ['follows', talk ? ['run ', link(talk.after), `, as message ${talk.message} of the conversation `, link(talk.first)] : null],
      ['model', run.model],
      ['signature', run.signature ? h('span', { class: 'mono' }, run.signature) : null],
      ['seed', run.seed === null ? null : h('span', { class: 'mono' }, String(run.seed))],
      ...(run.settings || []).map(it => ['settings', h('span', { class: 'mono' }, changeText(it))]),
      ...(run.sources || []).map(it => ['source', sourceText(it)]),
      ['when', when(run.started_at)]),
    h('h3', {}, 'mission'), h('pre', {}, mission),
    value('input', run.input),
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
    const name = h('a', { href: `#${run.run}` }, h('span', { class: colour(state(run)) }, '● '), h('span', { class: 'name' }, run.agent));
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
