// Forms made of JSON Schema. An answer is JSON text, so that integers keep all their digits.

import { h } from './text.js';

// Parts that an answer lacks.
const NOTHING = Symbol('nothing');

// Follows references into the schema itself, and leaves out null.
function resolve(schema, whole) {
  let it = schema, optional = false;
  for (let step = 0; step < 16 && it && typeof it === 'object'; step += 1) {
    if (typeof it.$ref === 'string' && it.$ref.startsWith('#/')) {
      const { $ref, ...beside } = it;
      const target = $ref.slice(2).split('/').reduce((at, key) => at && at[key.replace(/~1/g, '/').replace(/~0/g, '~')], whole);
      it = { ...target, ...beside };
      continue;
    }
    const options = it.anyOf || it.oneOf;
    if (options) {
      const rest = options.filter(one => one.type !== 'null');
      if (rest.length < options.length) optional = true;
      if (rest.length === 1) { const { anyOf, oneOf, ...beside } = it; it = { ...rest[0], ...beside }; continue; }
    }
    if (Array.isArray(it.type)) {
      const rest = it.type.filter(one => one !== 'null');
      if (rest.length < it.type.length) optional = true;
      if (rest.length === 1) { it = { ...it, type: rest[0] }; continue; }
    }
    break;
  }
  return [it || {}, optional];
}

const isText = it => it === 'string';

// Makes the controls of a value. Returns the element, and a function that reads it as JSON text or NOTHING; the function
// throws an error with a message and the control that it is about.
function control(schema, whole, { id, label, required, start, depth }) {
  const [it, optional] = resolve(schema, whole);
  const isRequired = required && !optional;
  const title = it.title || label;
  const help = it.description && it.description !== title ? it.description : null;
  const initial = start !== undefined ? start : it.default;
  const wrong = (field, what) => Object.assign(new Error(`${title}: ${what}`), { code: 'answer', field });

  if (it.const !== undefined) return { box: h('div'), read: () => JSON.stringify(it.const) };

  if (Array.isArray(it.enum)) {
    const values = it.enum.filter(one => one !== null);
    if (values.length <= 5) return choices(values, { id, title, help, isRequired, initial, wrong });
    const field = h('select', { id }, isRequired && initial === undefined ? h('option', { value: '' }, 'choose…') : null,
      isRequired ? null : h('option', { value: '' }, 'none'), values.map((one, at) => h('option', { value: String(at) }, textOf(one))));
    const at = values.findIndex(one => one === initial);
    field.value = at >= 0 ? String(at) : '';
    return framed(field, title, help, isRequired, () => {
      if (field.value !== '') return JSON.stringify(values[Number(field.value)]);
      if (isRequired) throw wrong(field, 'an answer is required');
      return NOTHING;
    });
  }

  if (it.type === 'boolean') {
    if (isRequired || initial !== undefined) {
      const field = h('input', { type: 'checkbox', id });
      field.checked = initial === true;
      const about = help ? h('span', { class: 'dim small' }, help) : null;
      return { box: h('div', { class: 'field' }, h('label', { class: 'check' }, field, h('span', {}, title)), about), read: () => String(field.checked) };
    }
    return choices([true, false], { id, title, help, isRequired, initial, wrong });
  }

  if (it.type === 'integer' || it.type === 'number') {
    const field = h('input', { type: 'text', inputmode: it.type === 'integer' ? 'numeric' : 'decimal', id, autocomplete: 'off' });
    if (initial !== undefined && initial !== null) field.value = String(initial);
    const range = [['minimum', 'from'], ['maximum', 'to']].filter(([key]) => typeof it[key] === 'number').map(([key, word]) => `${word} ${it[key]}`).join(' ');
    const shape = it.type === 'integer' ? /^-?\d+$/ : /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
    return framed(field, title, [help, range].filter(Boolean).join(' · ') || null, isRequired, () => {
      const text = field.value.trim().replace(/^\+/, '');
      if (!text) { if (isRequired) throw wrong(field, 'a number is required'); return NOTHING; }
      if (!shape.test(text)) throw wrong(field, it.type === 'integer' ? 'expected a whole number' : 'expected a number');
      // Leading zeros and points are no JSON, and digits past 2^53 must stay.
      const number = text.replace(/^(-?)0+(?=\d)/, '$1').replace(/^(-?)\./, '$10.').replace(/\.(?=$|[eE])/, '');
      // A program tells 2 from 2.0.
      return it.type === 'number' && /^-?\d+$/.test(number) ? `${number}.0` : number;
    });
  }

  if (isText(it.type)) {
    const isLong = it.format === 'textarea' || (typeof initial === 'string' && (initial.length > 60 || initial.includes('\n')));
    const type = it.writeOnly ? 'password' : it.format === 'date' ? 'date' : it.format === 'email' ? 'email' : 'text';
    const field = isLong ? h('textarea', { id, rows: '4' }) : h('input', { type, id });
    if (typeof initial === 'string') field.value = initial;
    return framed(field, title, help, isRequired, () => {
      if (!field.value && !isRequired) return NOTHING;
      if (!field.value && isRequired && it.minLength > 0) throw wrong(field, 'an answer is required');
      return JSON.stringify(field.value);
    });
  }

  if (it.type === 'object' && it.properties && depth < 4) {
    const needed = new Set(it.required || []);
    const given = initial && typeof initial === 'object' ? initial : {};
    const parts = Object.entries(it.properties).map(([key, one]) => [key, control(one, whole,
      { id: `${id}-${key}`, label: key, required: needed.has(key), start: given[key], depth: depth + 1 })]);
    const inside = parts.map(([, one]) => one.box);
    const box = depth === 0 ? h('div', {}, inside)
      : h('fieldset', {}, h('legend', {}, title), help ? h('div', { class: 'dim small' }, help) : null, inside);
    return {
      box,
      read: () => {
        const read = parts.map(([key, one]) => [key, one.read()]).filter(one => one[1] !== NOTHING);
        if (!read.length && !isRequired && depth > 0) return NOTHING;
        return `{${read.map(([key, text]) => `${JSON.stringify(key)}:${text}`).join(',')}}`;
      },
    };
  }

  if (it.type === 'array' && it.items) {
    const [item] = resolve(it.items, whole);
    if (Array.isArray(item.enum) && item.enum.length <= 30) {
      const boxes = item.enum.map(one => {
        const field = h('input', { type: 'checkbox', name: id });
        field.checked = Array.isArray(initial) && initial.includes(one);
        return [field, one];
      });
      const box = h('fieldset', {}, h('legend', {}, title), help ? h('div', { class: 'dim small' }, help) : null,
        boxes.map(([field, one]) => h('label', { class: 'check' }, field, h('span', {}, textOf(one)))));
      return { box, read: () => `[${boxes.filter(([field]) => field.checked).map(([, one]) => JSON.stringify(one)).join(',')}]` };
    }
  }

  // Anything else is written as JSON.
  const field = h('textarea', { id, rows: '3', class: 'mono', spellcheck: 'false' });
  if (initial !== undefined) field.value = typeof initial === 'object' ? JSON.stringify(initial, null, 2) : JSON.stringify(initial);
  return framed(field, title, [help, 'as JSON'].filter(Boolean).join(' · '), isRequired, () => {
    const text = field.value.trim();
    if (!text) { if (isRequired) throw wrong(field, 'an answer is required'); return NOTHING; }
    try { JSON.parse(text); } catch (error) { throw wrong(field, `not JSON: ${error.message}`); }
    return text;
  });
}

const textOf = one => typeof one === 'string' ? one : one === true ? 'yes' : one === false ? 'no' : JSON.stringify(one);

function framed(field, title, help, isRequired, read) {
  const about = help ? h('div', { class: 'dim small', id: `${field.id}-help` }, help) : null;
  if (about) field.setAttribute('aria-describedby', about.id);
  const label = h('label', { for: field.id }, title, isRequired ? null : h('span', { class: 'dim' }, ' (optional)'));
  return { box: h('div', { class: 'field' }, label, field, about), read };
}

function choices(values, { id, title, help, isRequired, initial, wrong }) {
  const radios = values.map(one => {
    const field = h('input', { type: 'radio', name: id });
    field.checked = one === initial;
    return [field, one];
  });
  const box = h('fieldset', { class: 'choices' }, h('legend', {}, title, isRequired ? null : h('span', { class: 'dim' }, ' (optional)')),
    help ? h('div', { class: 'dim small' }, help) : null,
    radios.map(([field, one]) => h('label', { class: 'check' }, field, h('span', {}, textOf(one)))));
  return {
    box,
    read: () => {
      const chosen = radios.find(([field]) => field.checked);
      if (chosen) return JSON.stringify(chosen[1]);
      if (isRequired) throw wrong(radios[0][0], 'choose one');
      return NOTHING;
    },
  };
}

// Makes the controls of a schema, whose ids begin with `id`. `read` gives JSON text.
export function form(schema, { id, label, start }) {
  const it = control(schema || {}, schema || {}, { id, label, required: true, start, depth: 0 });
  return {
    box: it.box,
    read: () => {
      try {
        const text = it.read();
        return text === NOTHING ? 'null' : text;
      } catch (error) {
        if (error.field) { error.field.setAttribute('aria-invalid', 'true'); error.field.focus(); }
        throw error;
      }
    },
  };
}
