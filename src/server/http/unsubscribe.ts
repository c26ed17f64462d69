import { createHash } from 'node:crypto'
import type { Service } from '../../service/service.ts'
import { replyText } from './reply.ts'
import type { HttpContext } from './state.ts'

export const unsubscribePath = '/unsubscribe'

/**
 * Shows what the link in a mail would unsubscribe from, with a button, because programs that scan mails follow links but
 * press no buttons.
 */
export async function showUnsubscribe(c: HttpContext, service: Service) {
  const scope = await scopeFor(c, service)
  if (!scope) return unknown(c)
  const { describeMails } = await import('../../operations/notifications/unsubscribe.ts')
  const mails = await describeMails(service.db, scope)
  if (mails === undefined) return page(c, 'You do not receive these mails any more', '')
  return page(c, `Stop ${mails}?`, '<form method="post"><button type="submit">Unsubscribe</button></form>')
}

/** Handles the button, and one-click unsubscribe (RFC 8058): without cookie or sign-in, and ignoring the body. */
export async function unsubscribeMails(c: HttpContext, service: Service) {
  const scope = await scopeFor(c, service)
  if (!scope) return unknown(c)
  const { unsubscribe } = await import('../../operations/notifications/unsubscribe.ts')
  await unsubscribe(service.db, scope, { now: service.now(), requestId: c.get('state').requestId })
  return page(c, 'You do not receive these mails any more', '<p>You can subscribe again in your settings.</p>')
}

async function scopeFor(c: HttpContext, service: Service) {
  const token = c.req.query('token') ?? ''
  const { readUnsubscribeToken } = await import('../../operations/notifications/unsubscribe.ts')
  return readUnsubscribeToken(await service.vault(), token)
}

function unknown(c: HttpContext) {
  return page(c, 'This link does not work', '<p>Use the link of the newest mail, or your settings.</p>', 404)
}

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}' +
  'button{font:inherit;padding:.5rem 1.25rem}'
const styleHash = createHash('sha256').update(style).digest('base64')

/** `body` is trusted markup; `title` is escaped. */
function page(c: HttpContext, title: string, body: string, status = 200) {
  const shown = title.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>relt</title><style>${style}</style></head>
<body><h1>${shown}</h1>${body}</body>
</html>
`
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`
  return replyText(c, html, {
    status,
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': policy },
  })
}
