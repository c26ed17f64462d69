import { commentMarker, renderComment } from '../../../ci/comment/body.ts'
import { findCommentPlace } from '../../../ci/comment/place.ts'
import type { CiReport } from '../../../ci/report.ts'
import { certificatesFor } from '../../../config/certificates.ts'
import { ReltError } from '../../../errors.ts'
import { postComment } from '../../../submit/post-comment.ts'
import { proxiesFor } from '../../../util/proxies.ts'
import { readEvent } from '../../input/pipeline.ts'
import { say, warn } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'

/**
 * Comments the verdict on the pull or merge request of this pipeline. A failure to comment is only a warning: the verdict
 * stays.
 */
export async function commentOnRequest(cli: Cli, report: CiReport) {
  const { env } = cli.context
  const found = findCommentPlace(env, readEvent(env))
  if ('missing' in found) return warn(cli.io, found.missing)
  const { place } = found
  const marker = commentMarker(report.run)
  try {
    const done = await postComment(place, {
      connect: async (origin) =>
        (await import('../../../util/http.ts')).openConnection({
          origin,
          proxies: proxiesFor(env),
          ca: certificatesFor(env),
          ...limits,
        }),
      marker,
      body: renderComment(report, marker, place.maxBytes),
    })
    say(cli, done === 'created' ? 'Wrote a comment on the request' : 'Updated the comment on the request')
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    warn(cli.io, `No comment was written. ${error.message}`)
  }
}

const limits = {
  connectTimeoutMs: 10_000,
  headersTimeoutMs: 30_000,
  bodyTimeoutMs: 30_000,
  // Room for a page of 100 comments.
  maxBytes: 20 * 1024 * 1024,
  maxConnections: 1,
}
