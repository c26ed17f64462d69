import type { Eol } from '../../contract/eol.ts'
import type { CycleOf } from '../cycle-of.ts'
import { isInLine } from '../newer-releases.ts'
import type { DatedRelease } from '../releases.ts'
import type { TagFamily } from '../tag-family.ts'
import type { Version } from '../versions.ts'

/** A release cycle of a project; if none is known, the releases with the same minor version. */
export interface ReleaseLine {
  key: string
  cycle: Eol | undefined
  /** Releases that may be suggested, newest first. For a floating tag, the newest of each line that a tag can name. */
  releases: DatedRelease[]
}

const kept = new WeakMap<TagFamily, Map<string, ReleaseLine[]>>()

/** Newest first, in the family of a running version. `offering`: the one whose cycles `cycleFor` knows. */
export function toLines(
  family: TagFamily,
  { cycleFor, offering = '' }: { cycleFor: CycleOf; offering?: string | undefined },
  running: Version,
): ReleaseLine[] {
  const byKey = kept.get(family) ?? new Map<string, ReleaseLine[]>()
  kept.set(family, byKey)
  const { length } = running.segments
  const key = `${length} ${offering}`
  const lines = byKey.get(key) ?? splitLines(namable(family, length), cycleFor, lineNumbers(family, running))
  byKey.set(key, lines)
  return lines
}

/** How many numbers identify a line if no cycle does: those of a floating tag, else two, or one of two. */
export function lineNumbers({ mode }: Pick<TagFamily, 'mode'>, { segments: { length } }: Version): number {
  return mode === 'line' ? length : Math.max(1, Math.min(2, length - 1))
}

function namable({ releases, mode }: TagFamily, length: number): DatedRelease[] {
  const stable = releases.filter(({ isStable }) => isStable)
  if (mode === 'exact') return stable
  return stable.filter((release, index) => {
    const before = stable[index - 1]
    return before === undefined || !isInLine(release.version, before.version, length)
  })
}

/** The releases of a line are adjacent in a sorted list. */
function splitLines(releases: DatedRelease[], cycleFor: CycleOf, numbers: number): ReleaseLine[] {
  const lines: ReleaseLine[] = []
  for (const release of releases) {
    const cycle = cycleFor(release.version)
    const key = lineKey(release.version, cycle, numbers)
    const last = lines.at(-1)
    if (last?.key === key) last.releases.push(release)
    else lines.push({ key, cycle, releases: [release] })
  }
  return lines
}

export function lineKey({ lead, segments }: Version, cycle: Eol | undefined, numbers: number): string {
  return cycle ? `cycle ${cycle.cycle}` : `minor ${lead} ${segments.slice(0, numbers).join('.')}`
}
