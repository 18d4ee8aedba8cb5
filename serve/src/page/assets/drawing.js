// Drawings that are made again as events come: one at a time, and once for many events.

import { note } from './parts.js';

// The time after which a drawing that has failed is made again.
const RETRY = 3000;

// Returns a function that calls another one soon, once for many calls.
export function soon(work, delay = 200) {
  let timer = null;
  return () => { timer ??= setTimeout(() => { timer = null; work(); }, delay); };
}

// Returns a function that does work at once, or behind the work that it has begun, once for all calls meanwhile. Without
// this an early answer of the server could be drawn over a later one.
export function inTurn(work) {
  let running = null, next = null;
  const now = () => {
    if (!running) {
      running = work().finally(() => { running = null; });
      return running;
    }
    next ??= running.catch(() => {}).then(() => { next = null; return now(); });
    return next;
  };
  return now;
}

// The drawing of a place into a box. `now` throws what fails; `soon` shows it, and tries again.
export function drawing(box, { signal, log }, draw, delay) {
  const now = inTurn(draw);
  const told = () => box.querySelectorAll(':scope > .refused').forEach(it => it.remove());
  const failed = problem => {
    if (signal.aborted) return;
    if (problem.status === 401) { log(); return; }
    // Everything is drawn again when the server is back.
    if (problem.status === 0) return;
    note(box, problem);
    setTimeout(again, RETRY);
  };
  const again = soon(() => { if (!signal.aborted) now().then(told, failed); }, delay);
  return { now, soon: again };
}
