import { parseTimestamp } from '../../util/time.ts'

/** A run as people name it. */
export type RunReference =
  | { kind: 'id'; id: string }
  /** The beginning of an id, `crun_` included. */
  | { kind: 'prefix'; prefix: string }
  /** The latest run, or one that many runs before it. */
  | { kind: 'latest'; back: number }
  /** The last run until a time, in unix seconds. */
  | { kind: 'until'; until: number }

/** Ids of relt have sixteen letters after `crun_`. Shorter ones may be the beginning of one. */
const wholeId = /^crun_[A-Za-z0-9-]{16,}$/

/** `crun_…`, its beginning with or without `crun_`, `latest`, `latest~2`, `@2026-11-01`, `@2026-11-01 12:30`. Undefined for all else. */
export function parseRunReference(text: string): RunReference | undefined {
  const typed = text.trim()
  if (wholeId.test(typed)) return { kind: 'id', id: typed }
  const latest = /^latest(?:~(\d{1,6}))?$/.exec(typed)
  if (latest) return { kind: 'latest', back: Number(latest[1] ?? 0) }
  if (typed.startsWith('@')) return parseTime(typed.slice(1))
  if (/^crun_[A-Za-z0-9-]*$/.test(typed)) return { kind: 'prefix', prefix: typed }
  return /^[A-Za-z0-9-]{1,16}$/.test(typed) ? { kind: 'prefix', prefix: `crun_${typed}` } : undefined
}

/** A day and a minute mean their last second. */
function parseTime(text: string): RunReference | undefined {
  const start = parseTimestamp(text)
  if (start === undefined) return undefined
  const length = /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? 86_400 : /:\d\d:\d\d/.test(text) ? 1 : 60
  return { kind: 'until', until: start + length - 1 }
}
