import { html as escapeInto, raw } from 'hono/html'
import { short } from '../../ci/text.ts'

/** Text that is already HTML. Only `html` and `trusted` create it. */
export interface Markup {
  isEscaped: true
  toString(): string
}

type Part = Markup | string | number | null | undefined | false | Part[]

/** A template that escapes its values. Lists are joined; null, undefined and false are omitted. */
export function html(strings: TemplateStringsArray, ...values: Part[]) {
  return escapeInto(strings, ...values) as Markup
}

/** Marks relt's own text as HTML; never use it for foreign text. */
export function trusted(text: string) {
  return raw(text) as Markup
}

export const nothing = trusted('')

/** Foreign text on one line, truncated, without control characters for text direction. */
export function clean(text: string | null | undefined, max = 300) {
  return short(text ?? '', max)
}

/** Like `clean`, isolated so that its text direction does not affect the text around it. */
export function name(text: string | null | undefined, max = 200) {
  return html`<bdi>${clean(text, max)}</bdi>`
}

/** Names such as `quay.io/argoproj/argocd:v3` break after a separator before they break within a word. */
export function breakable(text: string) {
  return trusted(html`${text}`.toString().replace(/[/:@](?=[a-z0-9])/gi, '$&<wbr>'))
}

/** Words such as `CVE-2026-1234` do not break after a hyphen, unless they are too long for a phone. */
export function unbroken(text: string) {
  return text.length <= 24 ? html`<span class="word">${text}</span>` : html`${text}`
}

/** Days such as `2026-11-23` do not break after a hyphen. */
export function dated(text: string) {
  return trusted(html`${text}`.toString().replace(/\b\d{4}-\d\d-\d\d\b/g, '<span class="word">$&</span>'))
}

export const isWebAddress = (url: string | null | undefined): url is string =>
  !!url && url.length <= 2000 && /^https?:\/\/[!-~]+$/i.test(url) && URL.canParse(url)

/** A link to a web page; text without a link for other URLs. */
export function link(url: string | null | undefined, label: string): Markup {
  if (!isWebAddress(url)) return nothing
  return html`<a href="${url}" rel="noreferrer">${label}</a>`
}

/** A timestamp in UTC. The script adds the local time as a title. */
export function time(at: string | null | undefined): Markup {
  const [, day, minute] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(at ?? '') ?? []
  if (!day) return html`unknown`
  return html`<time datetime="${day}T${minute}Z">${day} ${minute} UTC</time>`
}

/** The day of a timestamp, for narrow tables; the full time is in a tooltip. */
export function day(at: string | null | undefined) {
  const [, date, minute] = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)/.exec(at ?? '') ?? []
  return date ? html`<time datetime="${date}T${minute}Z" title="${date} ${minute} UTC">${date}</time>` : html`unknown`
}

/** A command for a terminal, with a copy button added by the script. */
export function command(words: string) {
  return html`<code class="command">${words}</code>`
}
