import { createHash } from 'node:crypto'
import { openFeed } from '../../operations/notifications/feed.ts'
import type { Service } from '../../service/service.ts'
import { matches, replyText, replyUnchanged } from '../http/reply.ts'
import type { HttpContext } from '../http/state.ts'
import type { Work } from '../http/work.ts'
import { gone } from './render-feed.ts'

/** Answers with the feed whose secret is in the URL, as its user may see it now. */
export async function answerFeed(c: HttpContext, service: Service, work: Work) {
  const [, token = ''] = /^\/feeds\/([^/.]+)\.atom$/.exec(c.req.path) ?? []
  const feed = await openFeed(service, token, service.now())
  const { origin = 'http://relt.invalid' } = c.get('state')
  if (!feed) throw gone()
  c.get('state').user = feed.user
  const { bytes } = await work.heavy(c.get('state'), { feed, origin })
  const tag = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  // A weak ETag: the compressed answer has other bytes.
  const headers = { 'Cache-Control': 'private, max-age=900', ETag: `W/"${tag}"` }
  if (matches(c.req.header('if-none-match'), tag)) return replyUnchanged(c, headers)
  return replyText(c, bytes, { type: 'application/atom+xml; charset=utf-8', headers })
}
