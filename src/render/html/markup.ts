import { html as escapeInto, raw } from 'hono/html'
import { short } from '../../ci/text.ts'

/** Text that is HTML already. Only `html` and `trusted` make it. */
export interface Markup {
  isEscaped: true
  toString(): string
}

type Part = Markup | string | number | null | undefined | false | Part[]

/** A template whose values are escaped. Lists are joined; null, undefined and false leave nothing. */
export function html(strings: TemplateStringsArray, ...values: Part[]): Markup {
  return escapeInto(strings, ...values) as Markup
}

/** Our own text, never a foreign one. */
export function trusted(text: string): Markup {
  return raw(text) as Markup
}

export const nothing = trusted('')

/** Foreign text on one line, of at most so many letters, without characters that steer the direction of text. */
export function clean(text: string | null | undefined, max = 300): string {
  return short(text ?? '', max)
}

/** The same, and its direction does not reach the text around it. */
export function name(text: string | null | undefined, max = 200): Markup {
  return html`<bdi>${clean(text, max)}</bdi>`
}

/** Names such as `quay.io/argoproj/argocd:v3` break after a separator before they break within a word. */
export function breakable(text: string): Markup {
  return trusted(html`${text}`.toString().replace(/[/:@](?=[a-z0-9])/gi, '$&<wbr>'))
}

/** Words such as `CVE-2026-1234` do not break after a hyphen, unless they are too long for a phone. */
export function unbroken(text: string): Markup {
  return text.length <= 24 ? html`<span class="word">${text}</span>` : html`${text}`
}

/** Days such as `2026-11-23` do not break after a hyphen. */
export function dated(text: string): Markup {
  return trusted(html`${text}`.toString().replace(/\b\d{4}-\d\d-\d\d\b/g, '<span class="word">$&</span>'))
}

export const isWebAddress = (url: string | null | undefined): url is string =>
  !!url && url.length <= 2000 && /^https?:\/\/[!-~]+$/i.test(url) && URL.canParse(url)

/** A link to a page of the web; anything else is no link. */
export function link(url: string | null | undefined, label: string): Markup {
  if (!isWebAddress(url)) return nothing
  return html`<a href="${url}" rel="noreferrer">${label}</a>`
}

/** A time of the wire, in UTC. The script adds the local time as a title. */
export function time(at: string | null | undefined): Markup {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(at ?? '') ?? []
  if (!day) return html`unknown`
  return html`<time datetime="${day}T${minute}Z">${day} ${minute} UTC</time>`
}

/** The day of a time of the wire, for tables that have no room; the time of day is in a tooltip. */
export function day(at: string | null | undefined): Markup {
  const [, date, minute] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(at ?? '') ?? []
  return date ? html`<time datetime="${date}T${minute}Z" title="${date} ${minute} UTC">${date}</time>` : html`unknown`
}

/** A command to run in a terminal, which the script lets people copy. */
export function command(words: string): Markup {
  return html`<code class="command">${words}</code>`
}
