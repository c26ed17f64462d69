import { renderMarkdown } from '../markdown.ts'
import type { CiReport } from '../report.ts'

/** A comment about the gate of a cluster, at most `maxBytes` long. `marker` is its first line, which is not displayed. */
export function renderComment(report: CiReport, marker: string, maxBytes: number) {
  const first = `${marker}\n`
  return first + renderMarkdown(report, maxBytes - Buffer.byteLength(first))
}

/** Distinguishes the comment of a cluster and environment from others on the same request. */
export function commentMarker({ cluster_name, environment }: CiReport['run']) {
  // Base64url has no `--`, which would end an HTML comment.
  const key = Buffer.from(JSON.stringify([cluster_name ?? '', environment ?? ''])).toString('base64url')
  return `<!-- relt gate ${key.replace(/-/g, '.')} -->`
}
