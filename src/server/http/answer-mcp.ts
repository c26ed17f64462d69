import { ReltError } from '../../errors.ts'
import { answerHttp, refuseOrigin } from '../../mcp/http.ts'
import type { Service } from '../../service/service.ts'
import { readJson } from './body.ts'
import type { CatalogCache } from './catalog-cache.ts'
import { createCall } from './create-call.ts'
import { replyError } from './on-error.ts'
import type { HttpContext } from './state.ts'
import type { Work } from './work.ts'

interface McpOptions {
  service: Service
  work: Work
  cache: CatalogCache
  publicUrl: string | undefined
}

/** Answers one request of the Model Context Protocol in the name of the caller. */
export async function answerMcp(c: HttpContext, { service, work, cache, publicUrl }: McpOptions): Promise<Response> {
  const refused = await refuseOrigin(c, publicUrl)
  if (refused) return refused
  const { user, team } = c.get('state')
  if (!user) {
    const error = new ReltError('unauthenticated', 'Authentication is required: an API key as bearer token.')
    return replyError(c, error, { 'WWW-Authenticate': 'Bearer realm="relt", scope="read"' })
  }
  const ask = createCall(c, { user, team }, { work, cache })
  return answerHttp(c, { ask, now: service.now, body: c.req.method === 'POST' ? await readJson(c) : undefined })
}
