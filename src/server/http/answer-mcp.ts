import { ReltError } from '../../errors.ts'
import type { Answered } from '../../mcp/answer.ts'
import { answerHttp, refuseOrigin } from '../../mcp/http.ts'
import type { ToolArguments } from '../../mcp/tool.ts'
import { apiAddress } from './base-path.ts'
import { readJson } from './body.ts'
import type { CatalogCache } from './catalog-cache.ts'
import { createCall } from './create-call.ts'
import { replyError } from './on-error.ts'
import { addHeaders } from './reply.ts'
import type { HttpContext } from './state.ts'
import type { Work } from './work.ts'

/** Handles one request of the Model Context Protocol on behalf of the caller. */
export async function answerMcp(
  c: HttpContext,
  { work, cache, publicUrl }: { work: Work; cache: CatalogCache; publicUrl: string | undefined },
) {
  const refused = await refuseOrigin(c, publicUrl)
  if (refused) return addHeaders(c, refused)
  const state = c.get('state')
  const { user, team, requestId } = state
  if (!user) {
    const error = new ReltError('unauthenticated', 'Authentication is required: an API key as bearer token.')
    return replyError(c, error, { 'WWW-Authenticate': 'Bearer realm="relt", scope="read"' })
  }
  const ask = createCall(c, { user, team }, { work, cache })
  // The time for calls and sanitizing grows with the size of the answers.
  const answer = async (tool: string, args: ToolArguments): Promise<Answered> => {
    const { bytes } = await work.heavy(state, {
      tool,
      args,
      asking: { user, team, requestId, server: apiAddress(state) },
    })
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  }
  const body = c.req.method === 'POST' ? await readJson(c) : undefined
  return addHeaders(c, await answerHttp(c, { server: { ask, answer }, body }))
}
