import { ReltError } from '../../errors.ts'
import { answersText } from '../../metrics/answers.ts'
import { type MetricsFormat, metricsTypes } from '../../metrics/text.ts'
import type { CatalogCache } from './catalog-cache.ts'
import { createCall } from './create-call.ts'
import { replyError } from './on-error.ts'
import { replyText } from './reply.ts'
import type { HttpContext } from './state.ts'
import type { Work } from './work.ts'

/** Prometheus metrics about the caller's clusters, or those of the team in the query. */
export async function answerMetrics(c: HttpContext, { work, cache }: { work: Work; cache: CatalogCache }) {
  const { user, team } = c.get('state')
  if (!user) {
    const error = new ReltError(
      'unauthenticated',
      'Authentication is required: an API key, as bearer token or password.',
    )
    return replyError(c, error, { 'WWW-Authenticate': 'Basic realm="relt", Bearer realm="relt"' })
  }
  const call = createCall(c, { user, team: c.req.query('team') ?? team }, { work, cache })
  const answer = await call('getClusterMetrics', {})
  const format: MetricsFormat = c.req.header('accept')?.includes('application/openmetrics-text')
    ? 'openmetrics'
    : 'prometheus'
  return replyText(c, answersText(answer, format), { type: metricsTypes[format] })
}
