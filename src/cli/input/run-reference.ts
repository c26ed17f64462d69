import { parseTimestamp } from '../../util/time.ts'

/** A reference to a run, as users type it. */
export type RunReference =
  | { kind: 'id'; id: string }
  /** Prefix of an id, including `crun_`. */
  | { kind: 'prefix'; prefix: string }
  /** The latest run, or the one this many runs before it. */
  | { kind: 'latest'; back: number }
  /** The last run before a time, in unix seconds. */
  | { kind: 'until'; until: number }

/** relt's ids have sixteen characters after `crun_`. Shorter ones may be a prefix. */
const wholeId = /^crun_[A-Za-z0-9-]{16,}$/

/**
 * Parses `crun_…`, a prefix with or without `crun_`, `latest`, `latest~2`, `@2026-11-01`, `@2026-11-01 12:30`. Undefined for
 * anything else.
 */
export function parseRunReference(text: string): RunReference | undefined {
  const typed = text.trim()
  if (wholeId.test(typed)) return { kind: 'id', id: typed }
  const latest = /^latest(?:~(\d{1,6}))?$/.exec(typed)
  if (latest) return { kind: 'latest', back: Number(latest[1] ?? 0) }
  if (typed.startsWith('@')) return parseTime(typed.slice(1))
  if (/^crun_[A-Za-z0-9-]*$/.test(typed)) return { kind: 'prefix', prefix: typed }
  return /^[A-Za-z0-9-]{1,16}$/.test(typed) ? { kind: 'prefix', prefix: `crun_${typed}` } : undefined
}

/** A day or minute means its last second. */
function parseTime(text: string): RunReference | undefined {
  const start = parseTimestamp(text)
  if (start === undefined) return undefined
  const length = /^\d{4}-\d\d-\d\d$/.test(text.trim()) ? 86_400 : /:\d\d:\d\d/.test(text) ? 1 : 60
  return { kind: 'until', until: start + length - 1 }
}
