// Requests to the server, its events, and the session of this browser.

let guard = null;

// The answer of the server to a request that it refused.
export class Problem extends Error {
  constructor(status, body) {
    super(body.detail || `the server answered with ${status}`);
    Object.assign(this, { status, code: body.code || String(status), help: body.help || null });
  }
}

export async function ask(method, path, body) {
  const headers = { accept: 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (guard) headers['ptc-guard'] = guard;
  // A body that is a text is JSON already, with all digits of its integers.
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  let response;
  try {
    response = await fetch(path, { method, headers, body: text, credentials: 'same-origin' });
  } catch {
    throw new Problem(0, { code: 'unreachable', detail: 'the server cannot be reached' });
  }
  const json = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, json);
  return json;
}

export const get = (path, query) => {
  const pairs = Object.entries(query || {}).filter(it => it[1] !== undefined && it[1] !== null && it[1] !== '');
  return ask('GET', path + (pairs.length ? `?${new URLSearchParams(pairs)}` : ''));
};

export const part = text => encodeURIComponent(text);

let sessions = 0;

// Who is logged in: `{ needs_login, name, guard }`.
export async function session() {
  sessions += 1;
  const mine = sessions;
  const it = await get('/v1/session');
  // An answer from before a login says nothing about the session that it made.
  if (mine === sessions) guard = it.guard;
  return it;
}

export async function logIn(token) {
  await ask('POST', '/v1/session', { token });
  return session();
}

export async function logOut() {
  await ask('DELETE', '/v1/session');
  guard = null;
}

// Events. The browser connects again by itself, and names the last event that it had.

const listeners = new Set();
let source = null;

export function connect(onLink) {
  if (source) source.close();
  source = new EventSource('/v1/events');
  source.addEventListener('open', () => {
    onLink(true);
    // What happened while the line was down may be lost, so everything is asked for once.
    for (const it of listeners) it(null);
  });
  const mine = source;
  source.addEventListener('error', () => {
    onLink(false);
    // The browser gives up after an answer that is an error, as a proxy gives while the server is away.
    if (mine.readyState === EventSource.CLOSED) setTimeout(() => { if (source === mine) connect(onLink); }, 3000);
  });
  source.addEventListener('message', event => {
    let it;
    try { it = JSON.parse(event.data); } catch { return; }
    for (const listener of listeners) listener(it);
  });
}

export function disconnect() {
  if (source) source.close();
  source = null;
}

// Calls a function with each event until a signal ends it; with null when all must be asked for again.
export function listen(signal, listener) {
  listeners.add(listener);
  signal.addEventListener('abort', () => listeners.delete(listener));
}
