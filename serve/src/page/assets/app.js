// The frame of the page: places, login, and the line to the server.

import { connect, disconnect, get, listen, logOut, session } from './api.js';
import { agentPage, agentsPage } from './agents.js';
import { chatPage, chatsPage } from './chats.js';
import { inTurn, soon } from './drawing.js';
import { loginPage } from './login.js';
import { button, note, say } from './parts.js';
import { questionsPage } from './questions.js';
import { runPage } from './run-page.js';
import { runsPage } from './runs.js';
import { clean, h } from './text.js';

const main = document.getElementById('main');
const PLACES = [['runs', 'Runs'], ['questions', 'Questions'], ['chats', 'Chats'], ['agents', 'Agents']];
const RUN = /^[0-9a-z]{26}(\.|$)/;

let place = null;
// The number of logins and logouts. What was asked before one of them says nothing about what follows.
let login = 0;
// The server was away when a place was to be drawn.
let missed = false;

// Where the fragment leads: a place, or a run with a turn or a call of it.
function target() {
  const hash = decodeURIComponent(location.hash.slice(1)) || 'runs';
  if (RUN.test(hash)) return { name: 'run', id: hash.split('.')[0], at: hash.includes('.') ? hash : null };
  const [name, ...rest] = hash.split('/');
  return { name, id: rest.join('/') || null, at: null };
}

function draw(to) {
  if (to.name === 'run') return runPage;
  if (to.name === 'questions') return questionsPage;
  if (to.name === 'agents') return to.id ? agentPage : agentsPage;
  if (to.name === 'chats') return to.id ? chatPage : chatsPage;
  return runsPage;
}

async function show() {
  const to = target();
  if (place && place.name === to.name && place.id === to.id) {
    scrollToPlace(to);
    return;
  }
  leave();
  place = { ...to, ends: new AbortController() };
  missed = false;
  const mine = place;
  document.querySelectorAll('#places a').forEach(it => {
    const is = it.dataset.place === to.name || (to.name === 'run' && it.dataset.place === 'runs');
    if (is) it.setAttribute('aria-current', 'page'); else it.removeAttribute('aria-current');
  });
  main.replaceChildren(h('p', { class: 'dim' }, 'loading…'));
  const box = h('div', { id: 'place' });
  try {
    await draw(to)(box, to.id, { signal: mine.ends.signal, title, log: needLogin });
    if (mine.ends.signal.aborted) return;
    main.replaceChildren(box);
    scrollTo(0, 0);
    scrollToPlace(to);
  } catch (problem) {
    if (mine.ends.signal.aborted) return;
    if (problem.status === 401) { needLogin(); return; }
    // Events must not draw into a box that is not on the page.
    leave();
    missed = problem.status === 0;
    fault(missed ? 'The server does not answer' : 'This cannot be shown', problem);
  }
}

function fault(heading, problem) {
  main.replaceChildren(h('section', {}, h('h1', {}, heading)));
  note(main.firstElementChild, problem);
}

function scrollToPlace(to) {
  const it = to.at && document.getElementById(to.at);
  if (!it) return;
  for (let up = it; up; up = up.parentElement) if (up.tagName === 'DETAILS') up.open = true;
  it.scrollIntoView();
  if (it.tabIndex >= 0 || it.hasAttribute('tabindex')) it.focus({ preventScroll: true });
}

function leave() {
  if (place) place.ends.abort();
  place = null;
  document.getElementById('tree').replaceChildren();
}

function title(text) {
  document.title = clean(`${text} · ptc`);
}

function needLogin() {
  login += 1;
  disconnect();
  leave();
  document.getElementById('places').replaceChildren();
  document.getElementById('who').replaceChildren();
  say('');
  title('Log in');
  loginPage(main, begin);
}

// How many questions are open, beside the name of their place.
const countQuestions = soon(inTurn(async () => {
  try {
    const { questions } = await get('/v1/questions');
    const it = document.getElementById('open');
    if (!it) return;
    const before = it.textContent;
    it.textContent = questions.length ? String(questions.length) : '';
    it.setAttribute('aria-label', `${questions.length} open`);
    if (questions.length && before !== it.textContent) say(`${questions.length} open questions`);
  } catch { /* The next event asks again. */ }
}));

listen(new AbortController().signal, event => {
  if (!event || /^(run-|call-|acted)/.test(event.event)) countQuestions();
  if (!event && missed) show();
});

async function begin() {
  login += 1;
  const mine = login;
  // A place that was asked for before the login is asked for again.
  leave();
  const it = await session();
  if (it.needs_login) { needLogin(); return; }
  document.getElementById('places').replaceChildren(...PLACES.map(([name, text]) =>
    h('a', { href: `#${name}`, 'data-place': name }, text, name === 'questions' ? h('span', { id: 'open', class: 'count' }) : null)));
  document.getElementById('who').replaceChildren(...(it.name ? [h('span', { class: 'dim' }, it.name),
    button('Log out', async () => { await logOut(); needLogin(); }, 'quiet')] : []));
  connect(is => {
    document.getElementById('link').hidden = is;
    // A server that has restarted does not know the session.
    if (!is) {
      setTimeout(async () => {
        // Without an answer the server is still away, and the browser tries again.
        const it = login === mine ? await session().catch(() => null) : null;
        if (it && it.needs_login && login === mine) needLogin();
      }, 1500);
    }
  });
  countQuestions();
  await show();
}

document.getElementById('skip').addEventListener('click', event => { event.preventDefault(); main.focus(); });
addEventListener('hashchange', show);

// j and k go from turn to turn, as in pages of `ptc view`.
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  if (event.key !== 'j' && event.key !== 'k') return;
  const turns = [...main.querySelectorAll('section.turn')];
  const here = turns.findIndex(it => it === document.activeElement);
  const to = turns[Math.min(turns.length - 1, Math.max(0, here + (event.key === 'j' ? 1 : -1)))];
  if (to) { to.focus({ preventScroll: true }); to.scrollIntoView(); }
});

// Until the server has said who is logged in, nothing else can be asked.
function start() {
  begin().catch(problem => {
    fault('The server does not answer', problem);
    setTimeout(start, 3000);
  });
}

start();
