// The turns and calls of a run over time.

import { runs } from './record.js';
import { clean, colour, duration, h, took } from './text.js';

// How much of the width goes by the order of what happened; the rest goes by time. So what is short can be seen.
const BY_ORDER = 0.4;

export function timeline(run) {
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
