import type { View } from '../../html/pages/view.ts'
import { clean, html, type Markup } from '../../render/html/markup.ts'
import { number } from '../../util/words.ts'
import { toWireError } from '../http/on-error.ts'
import { replyText } from '../http/reply.ts'
import type { HttpContext } from '../http/state.ts'
import { toFrame } from './render-page.ts'

export const signInPath = '/sign-in'

const policy = [
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'",
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
].join('; ')

interface ShownDocument {
  title: string
  body: Markup
  /** Undefined before sign-in. */
  view?: View
  status?: number | undefined
  headers?: Record<string, string> | undefined
}

export function replyPage(c: HttpContext, { title, body, view, status, headers }: ShownDocument) {
  return replyDocument(c, toFrame({ title, body }, view), { status, headers })
}

export function replyDocument(
  c: HttpContext,
  text: string | Uint8Array<ArrayBuffer>,
  { status = 200, headers }: Pick<ShownDocument, 'status' | 'headers'> = {},
) {
  return replyText(c, text, {
    status,
    type: 'text/html; charset=utf-8',
    // With `no-referrer`, browsers would send forms with the origin `null`.
    headers: { 'Content-Security-Policy': policy, 'Referrer-Policy': 'same-origin', ...headers },
  })
}

const titles: Record<number, string> = {
  400: 'This address cannot be shown',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  429: 'Too many requests',
  503: 'Not available now',
}

/** Shows an error like the API does, without its cause. */
export function showError(c: HttpContext, error: unknown, view?: View) {
  const { requestId, user } = c.get('state')
  const { message, data } = toWireError(error, requestId)
  const { status, params = {} } = data
  const retryAfter = (error as { retryAfter?: number }).retryAfter
  const isForm = c.req.method === 'POST'
  const title = (isForm && status === 400 ? 'The form was not accepted' : titles[status]) ?? 'This did not work'
  const hasParams = Object.keys(params).length > 0
  const body = html`<h1>${title}</h1>
${hasParams ? isForm && html`<p>Go back in your browser to correct it.</p>` : html`<p>${clean(message, 600)}</p>`}
${hasParams && html`<ul class="plain">${Object.entries(params).map(([name, why]) => html`<li>${clean(name, 100)}: ${clean(why, 300)}</li>`)}</ul>`}
<p>${status === 401 ? html`<a href="${signInPath}">Sign in</a>` : user ? html`<a href="/">Start page</a>` : ''} ${retryAfter !== undefined && `Retry in ${number(retryAfter)} s.`}</p>`
  const headers = status === 429 || status === 503 ? { 'Retry-After': String(retryAfter ?? 5) } : {}
  return replyPage(c, { title, body, status, headers, ...(view && { view }) })
}
