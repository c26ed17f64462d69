import type { Eol } from '../../contract/eol.ts'
import { remember } from '../../util/remember.ts'
import type { CycleOf } from '../cycle-of.ts'
import { newestOfLines } from '../newer-releases.ts'
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
) {
  const byKey = remember(kept, family, () => new Map<string, ReleaseLine[]>())
  const { length } = running.segments
  return remember(byKey, `${length} ${offering}`, () => {
    const stable = family.releases.filter(({ isStable }) => isStable)
    const namable = family.mode === 'exact' ? stable : newestOfLines(stable, length)
    return splitLines(namable, cycleFor, lineNumbers(family, running))
  })
}

/** How many numbers identify a line if no cycle does: those of a floating tag, else two, or one of two. */
export function lineNumbers({ mode }: TagFamily, { segments: { length } }: Version) {
  return mode === 'line' ? length : Math.max(1, Math.min(2, length - 1))
}

/** The releases of a line are adjacent in a sorted list. */
function splitLines(releases: DatedRelease[], cycleFor: CycleOf, numbers: number) {
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

export function lineKey({ lead, segments }: Version, cycle: Eol | undefined, numbers: number) {
  return cycle ? `cycle ${cycle.cycle}` : `minor ${lead} ${segments.slice(0, numbers).join('.')}`
}
