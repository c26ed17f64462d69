import { escapeHtml } from '../text.ts'

/** Markup with escaped values. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | number | Html | readonly Html[]

/** Escapes every value that is not markup itself, in text and quoted attributes. */
export function html(strings: TemplateStringsArray, ...values: Value[]) {
  return new Html(strings.reduce((all, string, i) => all + toText(values[i - 1]!) + string))
}

function toText(value: Value) {
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(({ text }) => text).join('')
  return escapeHtml(String(value))
}
