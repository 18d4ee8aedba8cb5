// Open questions as forms.

import { ask, get, listen, part } from './api.js';
import { withMarks } from './difference.js';
import { drawing } from './drawing.js';
import { form as formOf } from './form.js';
import { busy, button, forget, keyed, labelled, renew, say } from './parts.js';
import { h, when } from './text.js';

export async function questionsPage(box, _, place) {
  place.title('Questions');
  const list = h('div'), nothing = h('section', { class: 'empty' }, h('p', {}, 'Nobody waits for an answer.'));
  box.append(h('div', { class: 'head' }, h('h1', {}, 'Questions')), list, nothing);
  const drawn = drawing(box, place, async () => {
    const { questions } = await get('/v1/questions');
    renew(list, questions.map(it => question(it, true)));
    nothing.hidden = questions.length > 0;
  });
  listen(place.signal, drawn.soon);
  await drawn.now();
}

const isVerdict = it => it.kind === 'call' || it.kind === 'program';

// Draws a question. A question that somebody else has answered goes away with the next list.
export function question(it, withRun) {
  const box = h('section', { class: 'question', id: `question-${it.id}` });
  const titleId = `title-${it.id}`;
  box.setAttribute('aria-labelledby', titleId);
  box.append(h('h2', { id: titleId }, it.title || 'A question'),
    h('p', { class: 'dim small' }, it.agent, withRun ? [' · ', h('a', { href: `#${it.run}` }, 'look at the run')] : null,
      it.expires ? ` · until ${when(it.expires)}` : null));
  if (it.help) box.append(it.kind === 'form' ? h('p', { class: 'told' }, it.help) : withMarks(it.help));
  box.append(isVerdict(it) ? verdict(it, box) : filled(it, box));
  box.addEventListener('input', () => { box.dataset.held = ''; });
  return keyed(it.id, box);
}

async function send(it, box, body, said) {
  forget(box);
  try {
    await ask('POST', `/v1/runs/${part(it.run)}/answer`, body);
  } catch (problem) {
    if (problem.status === 409 || problem.status === 404) {
      // Somebody else was faster, or the run has ended: the form must not stay.
      box.querySelectorAll('button, input, textarea, select').forEach(one => { one.disabled = true; });
      delete box.dataset.held;
    }
    throw problem;
  }
  delete box.dataset.held;
  box.replaceChildren(h('p', { class: 'good' }, said));
  box.dataset.key = `${it.id}-answered`;
  say(said);
}

function verdict(it, box) {
  const reason = h('input', { type: 'text', autocomplete: 'off' });
  const answer = (allow, said) => () => send(it, box, { question: it.id, allow, ...(reason.value.trim() ? { reason: reason.value.trim() } : {}) }, said);
  return h('div', {}, labelled(`reason-${it.id}`, 'Reason', reason, 'The program reads it; the model may try another way.'),
    h('div', { class: 'buttons' }, button('Approve', answer(true, 'Approved.'), 'main'), button('Deny', answer(false, 'Denied.'), 'danger')));
}

function filled(it, box) {
  // A form with one yes-or-no and a reason is answered by buttons, as the question of a call is.
  const fields = (it.form && it.form.fields) || [];
  const yes = fields.filter(one => one.type === ':bool');
  const texts = fields.filter(one => /^:string/.test(one.type || ''));
  if (yes.length === 1 && fields.length === yes.length + texts.length && texts.length <= 1 && texts.every(one => one.type.endsWith('?'))) {
    const reason = texts.length ? h('input', { type: 'text', autocomplete: 'off' }) : null;
    const answer = (value, said) => () => {
      const given = { [yes[0].id]: value };
      if (reason && reason.value.trim()) given[texts[0].id] = reason.value.trim();
      return send(it, box, { question: it.id, answer: given }, said);
    };
    return h('div', {}, h('p', {}, yes[0].label || ''), reason ? labelled(`reason-${it.id}`, texts[0].label || texts[0].id, reason) : null,
      h('div', { class: 'buttons' }, button('Approve', answer(true, 'Approved.'), 'main'), button('Deny', answer(false, 'Denied.'), 'danger')));
  }
  const made = formOf(it.schema, { id: `answer-${it.id}`, label: it.title || 'answer' });
  const submit = h('button', { type: 'submit', class: 'main' }, (it.form && it.form.submit) || 'Answer');
  const form = h('form', { novalidate: '' }, made.box, h('div', { class: 'buttons' }, submit));
  form.addEventListener('submit', event => {
    event.preventDefault();
    busy(submit, () => send(it, box, `{"question":${JSON.stringify(it.id)},"answer":${made.read()}}`, 'Answered.'));
  });
  return form;
}
