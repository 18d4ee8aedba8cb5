// A run: its head, its turns and its calls.

import { flow } from './flow.js';
import { json, node, readJson, value } from './json.js';
import { program } from './program.js';
import { data, entry, runs } from './record.js';
import { block, clean, colour, count, cutNote, duration, h, length, money, state, took, when } from './text.js';
import { timeline } from './timeline.js';

export function problem(error, kind) {
  if (!error) return null;
  const where = error.line ? ` at ${error.line}:${error.column}` : '';
  const help = [error.help, error.advice].filter(Boolean).join('; or ');
  return h('div', { class: `error ${kind || ''}` }, h('b', {}, `${error.code || 'error'}${where}`),
    `: ${error.message || ''}`, help ? h('div', { class: 'dim' }, help) : null,
    error.denied ? [h('div', {}, 'The call of ', h('b', { class: 'mono' }, error.denied.tool), ' was not made:'),
      ...error.denied.labels.map(it => originNode(it))] : null);
}

export function fields(...rows) {
  const list = h('dl');
  for (const [name, value] of rows) {
    if (value !== null && value !== undefined && value !== '') list.append(h('dt', {}, name), h('dd', {}, value));
  }
  return list;
}

// A recording has no model.
export const modelOf = run => run.model.startsWith('recorded:') ? 'recorded' : run.model.slice(run.model.indexOf(':') + 1);
export const link = (id, text) => runs.has(id) ? h('a', { href: `#${id}` }, text || id) : h('span', {}, text || id);
// Where no reply came there is nothing to tell.
export const costOf = usage => usage.cost || (usage.cost === 0 && usage.input_tokens + usage.output_tokens > 0) ? money(usage.cost) : null;
export const tokensOf = usage => usage ? [`${usage.input_tokens} in`, `${usage.output_tokens} out`, costOf(usage)].filter(it => it).join(', ') : null;

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

// The value of an argument of a call, or of the call that a question is about.
function given(args, name) {
  const it = entry(args);
  const at = (whole, name) => ((whole && whole.items || []).find(([key]) => key === name) || [])[1];
  const whole = it && !it[1] ? readJson(it[0]) : null;
  const found = at(whole, name) || at(at(whole, 'args'), name);
  return found ? h('div', { class: 'mono json' }, node(null, found, 0)) : null;
}

// Where an argument came from: the forms on the way, from the source to the call, and the rule that it met.
function originNode(it, args) {
  const path = it.path || [], name = it.argument;
  // The last form gives the argument.
  const form = path.length ? h('span', { class: 'mono' }, path[path.length - 1]) : null;
  const rows = fields(
    [args === undefined ? 'written as' : 'value', args === undefined ? form : given(args, name)],
    ['comes from', it.from],
    ['by way of', path.length > 1 ? h('ol', { class: 'way mono' }, path.map(form => h('li', {}, form))) : null],
    ['rule', it.rule ? h('span', { class: 'mono' }, it.rule) : null]);
  const what = name ? ['argument ', h('b', { class: 'mono' }, name), ` is ${it.label}`] : `whether the call is made is ${it.label}`;
  return it.rule ? h('div', { class: 'origin' }, h('div', { class: 'bad' }, what), rows)
    : h('details', { class: 'origin' }, h('summary', {}, h('span', { class: 'warn' }, what), h('span', { class: 'dim' }, `, from ${it.from}; the rules allow it`)), rows);
}

function callNode(run, turn, call) {
  const id = `${run.run}.${turn.turn}.${call.call}`;
  const how = call.cached ? 'an earlier call had the result' : took(call);
  return h('div', { class: 'call', id },
    call.step ? `${call.step} › ` : '', h('b', { class: 'mono' }, call.tool), ' ', h('span', { class: colour(call.status) }, call.status),
    h('span', { class: 'dim' }, ` · ${how} `), call.run ? ['run ', link(call.run)] : null,
    h('div', {}, h('span', { class: 'dim' }, 'with '), json(call.args)),
    (call.labels || []).map(it => originNode(it, call.args)),
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

export function turnNode(run, turn) {
  const outcome = turn.outcome || 'never ended';
  const box = h('section', { class: 'turn', id: `${run.run}.${turn.turn}`, tabindex: '-1' },
    h('h2', {}, `turn ${turn.turn} `, h('span', { class: `status ${colour(outcome)}` }, outcome),
      h('span', { class: 'dim' }, ` · ${took(turn)} · ${turn.fuel} fuel`)),
    block(turn.turn === 1 ? 'told to the model' : 'feedback to the model', turn.prompt, turn.turn > 1));
  if (turn.transcript) box.append(fields(['transcript', turn.transcript.join('; ')]));
  const errors = turn.rejection || (turn.error ? [turn.error] : []);
  const isLast = turn === run.turn_records[run.turn_records.length - 1];
  const placed = errors.map(it => it.denied ? { ...it, line: it.denied.line, column: it.denied.column } : it);
  const ended = it => isLast && run.error && it.code === run.error.code && it.message === run.error.message;
  const add = (...nodes) => box.append(...nodes.filter(it => it));
  const written = entry(turn.program);
  if (written) add(program('program', written[0], turn.repair ? [] : placed), cutNote(written));
  if (turn.reply !== null) add(block(written ? 'whole reply' : 'reply', turn.reply, !written));
  if (turn.repair) {
    add(h('div', { class: 'warn' }, turn.repair.message), program('program that ran', turn.repair.source || '', placed));
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

// The bound of a workflow, which has none.
const UNLIMITED = 2 ** 32 - 1;

// What a run came to in figures.
export function strip(run) {
  const { input_tokens: tokensIn, output_tokens: tokensOut, cached_input_tokens: cached } = run.usage;
  const rows = [
    ['status', h('span', { class: `status ${colour(state(run))}` }, state(run))],
    ['took', length(run) || '–'], ['turns', run.max_turns < UNLIMITED ? `${run.turns} of ${run.max_turns}` : run.turns], ['calls', run.tool_calls],
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

export function runNode(run) {
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
    ...(run.artifacts || []).map(it => value(`artifact ${clean(it.name)}, version ${it.version}${it.by ? `, by ${clean(it.by)}` : ''}`, it.value)),
    mission ? [h('h3', {}, 'mission'), h('pre', {}, mission)] : null,
    value('input', run.input),
    block('whole system prompt', run.system, false),
    ...run.warnings.filter(it => it.turn === 0).map(it => problem(it, 'warn')));
  return [head, h('section', {}, run.flow ? flow(run) : null, h('h2', {}, 'timeline'), timeline(run)),
    ...run.turn_records.map(turn => turnNode(run, turn))];
}

export function root(run) {
  const seen = new Set();
  while (run.parent && runs.has(run.parent.run) && !seen.has(run.run)) {
    seen.add(run.run);
    run = runs.get(run.parent.run);
  }
  return run;
}

export function tree(top, current) {
  const one = run => {
    const children = data.runs.filter(it => it.parent && it.parent.run === run.run);
    const name = h('a', { href: `#${run.run}` }, h('span', { class: colour(state(run)) }, '● '), h('span', { class: 'name' }, run.agent));
    if (run === current) name.setAttribute('aria-current', 'page');
    name.title = clean(`${run.run} · ${state(run)}`);
    return h('li', {}, name, children.length ? h('ul', {}, children.map(one)) : null);
  };
  return [h('h2', {}, 'sub-agents'), h('ul', {}, one(top))];
}
