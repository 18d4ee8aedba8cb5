// The steps of a flow file and the paths between them, with those that the run took.

import { clean, h } from './text.js';

const WIDTH = 170, HEIGHT = 44, ACROSS = 30, DOWN = 46;

const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, clean(value));
  element.append(...children.map(it => it instanceof Node ? it : clean(it)));
  return element;
};

export function flow(run) {
  const { steps, paths } = run.flow;
  const entered = (run.remarks && run.remarks.path) || [];
  const skipped = new Set(entered.filter(it => it.skipped).map(it => it.step));
  const taken = new Set(entered.map(it => it.step));
  const pairs = new Set(entered.slice(1).map((it, at) => `${entered[at].step}\n${it.step}`));
  const isTaken = it => pairs.has(`${it.from}\n${it.to}`);
  const rows = rowsOf(steps, paths);
  const places = new Map();
  const across = Math.max(...rows.map(row => row.length)) * (WIDTH + ACROSS);
  rows.forEach((row, down) => row.forEach((step, at) => places.set(step.name, {
    x: across / 2 + (at - (row.length - 1) / 2) * (WIDTH + ACROSS), y: 20 + down * (HEIGHT + DOWN) })));
  const said = it => `${it.from} to ${it.to}${it.on && it.on !== 'success' ? ` (${it.on})` : ''}${it.when ? ` when ${it.when}` : ''}`;
  const width = across + 60, height = rows.length * (HEIGHT + DOWN);
  const lines = [...paths].sort((a, b) => isTaken(a) - isTaken(b)).map(it => svg('path', {
    class: isTaken(it) ? 'taken' : 'path', d: line(places.get(it.from), places.get(it.to)) }, svg('title', {}, said(it))));
  const boxes = steps.map(step => {
    const { x, y } = places.get(step.name);
    const kind = skipped.has(step.name) ? 'skipped' : taken.has(step.name) ? 'taken' : 'step';
    const name = step.name.length > 20 ? `${step.name.slice(0, 19)}…` : step.name;
    const what = [step.kind, step.tool, step.repeated, step.status].filter(it => it).join(' · ');
    return svg('g', { class: kind }, svg('title', {}, `${step.name}: ${what}${step.description ? `. ${step.description}` : ''}`),
      svg('rect', { x: x - WIDTH / 2, y, width: WIDTH, height: HEIGHT, rx: 6 }),
      svg('text', { x, y: y + 19 }, name), svg('text', { x, y: y + 35, class: 'what' }, what.length > 28 ? `${what.slice(0, 27)}…` : what));
  });
  const way = entered.map(it => it.skipped ? `${it.step} (skipped)` : it.step).join(', then ');
  const drawing = svg('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': `Steps and paths. Taken: ${way || 'none'}` },
    ...lines, ...boxes);
  const list = h('ul', {}, paths.map(it => h('li', {}, isTaken(it) ? h('b', {}, said(it)) : said(it))));
  return [h('h2', {}, 'flow'), h('div', { class: 'flow wide', tabindex: '0', role: 'group', 'aria-label': 'flow' }, drawing),
    h('p', {}, `taken: ${way || 'no step'}`),
    h('details', { class: 'fold' }, h('summary', {}, `paths (${paths.length})`), list)];
}

// The steps in rows, each behind all that lead to it. Paths that lead back to a step that is being followed do not count.
function rowsOf(steps, paths) {
  const order = [], seen = new Set();
  const follow = name => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const it of paths) if (it.from === name) follow(it.to);
    order.unshift(name);
  };
  for (const step of [...steps].sort((a, b) => (b.starts || false) - (a.starts || false))) follow(step.name);
  const place = new Map(order.map((name, at) => [name, at]));
  const row = new Map(order.map(name => [name, 0]));
  for (const name of order) {
    for (const { to } of paths.filter(it => it.from === name && place.get(it.to) > place.get(name))) {
      row.set(to, Math.max(row.get(to), row.get(name) + 1));
    }
  }
  const rows = [];
  for (const step of steps) (rows[row.get(step.name)] = rows[row.get(step.name)] || []).push(step);
  return rows;
}

// A path to a later row goes down; another one goes around on the right.
function line(from, to) {
  if (to.y > from.y) {
    const y = from.y + HEIGHT, middle = (y + to.y) / 2;
    return `M${from.x},${y} C${from.x},${middle} ${to.x},${middle} ${to.x},${to.y} m-4,-7 l4,7 l4,-7`;
  }
  const x = from.x + WIDTH / 2, end = to.x + WIDTH / 2, y = to.y + HEIGHT / 2;
  const out = Math.max(x, end) + 40;
  return `M${x},${from.y + HEIGHT / 2} C${out},${from.y + HEIGHT / 2} ${out},${y} ${end},${y} m7,-4 l-7,4 l7,4`;
}
