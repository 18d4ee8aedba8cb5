// The login of a person with a token.

import { logIn } from './api.js';
import { busy, forget, labelled } from './parts.js';
import { h } from './text.js';

export function loginPage(main, onDone) {
  const token = h('input', { type: 'password', autocomplete: 'current-password', spellcheck: 'false', required: '' });
  const send = h('button', { type: 'submit', class: 'main' }, 'Log in');
  const form = h('form', { class: 'narrow' }, h('h1', {}, 'Log in'),
    labelled('token', 'Token', token, 'Who runs this server makes tokens with: ptc token new NAME'), h('div', { class: 'buttons' }, send));
  form.addEventListener('submit', event => {
    event.preventDefault();
    forget(form);
    busy(send, async () => {
      await logIn(token.value.trim());
      token.value = '';
      await onDone();
    });
  });
  main.replaceChildren(h('section', { class: 'card' }, form));
  token.focus();
}
