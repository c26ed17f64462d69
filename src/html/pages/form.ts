import { html, type Markup } from '../../render/html/markup.ts'
import type { View } from './view.ts'

interface Field {
  name: string
  label: string
  /** Words to choose from; the first is the default. */
  choices?: readonly (string | readonly [value: string, label: string])[]
  type?: 'search' | 'text' | 'number' | 'date'
  hint?: string
  /** Rarely needed: hidden behind "more filters". */
  isRare?: boolean
}

/** Filters of a page, submitted in its URL. */
export function filterForm(view: View, fields: Field[]) {
  const { team } = view.query
  const usual = fields.filter(({ isRare }) => !isRare)
  const rare = fields.filter(({ isRare }) => isRare)
  const isFiltered = fields.some(({ name }) => view.query[name])
  return html`<form class="tools" method="get" action="${view.path}" role="search">
${usual.map((field) => toField(field, view.query[field.name] ?? ''))}${
  rare.length > 0 &&
  html`<details class="rare"${rare.some(({ name }) => view.query[name]) && html` open`}><summary>More filters</summary>
${rare.map((field) => toField(field, view.query[field.name] ?? ''))}</details>
`
}
${team && html`<input type="hidden" name="team" value="${team}">`}<button type="submit">Apply</button>${isFiltered && html` <a href="${view.href(view.path)}">Clear</a>`}
</form>`
}

export function toField({ name, label, choices, type = 'text', hint }: Field, value: string, more?: Markup) {
  if (choices) {
    const options = choices.map((choice) => (typeof choice === 'string' ? ([choice, choice] as const) : choice))
    const known = options.some(([each]) => each === value)
    return html`<label>${label} <select name="${name}">${options.map(
      ([each, words]) => html`<option value="${each}"${each === value && html` selected`}>${words}</option>`,
    )}${value !== '' && !known && html`<option value="${value}" selected>${value}</option>`}</select></label>
`
  }
  return html`<label>${label} <input type="${type}" name="${name}" value="${value}"${hint && html` placeholder="${hint}"`}${more}></label>
`
}

interface ActionOptions {
  /** Path of the action. */
  action: string
  button: string
  /** Additional hidden values. */
  values?: Record<string, string | number>
  fields?: Markup
  /** Confirmation before an irreversible action. */
  confirm?: string
  /** Subject of the button, if its label alone is ambiguous. */
  about?: string
}

/** A button that changes something. Hidden without a session with permission. */
export function actionForm(view: View, { action, button, values = {}, fields, confirm, about }: ActionOptions) {
  const { nonce } = view.viewer
  if (nonce === undefined || !view.canSubmit) return html``
  const next = view.here({ page: view.query.page })
  const form = html`<form class="action" method="post" action="${view.href(action)}">
${Object.entries({ ...values, _wpnonce: nonce, next }).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}${fields}${confirm && html`<span>${confirm}</span> `}<button type="submit"${about && !confirm && html` aria-label="${button} ${about}"`}>${button}</button>
</form>`
  if (!confirm) return form
  return html`<details class="confirm"><summary${about && html` aria-label="${button} ${about}"`}>${button}</summary>${form}</details>`
}
