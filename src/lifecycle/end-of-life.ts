import type { Eol } from '../contract/cluster-report.ts'
import bundled from './data/cycles.json' with { type: 'json' }
import { supportOf } from './kubernetes.ts'

/** The fields of endoflife.date that decide. */
export interface Cycle {
  /** The first numbers of its versions: `1.33`, `12`. */
  cycle: string
  /** The last day of support. */
  eol: string
}

const projects: Record<string, Cycle[] | undefined> = bundled.projects

/**
 * The release cycle that a version belongs to, the longest where several begin alike; undefined for what the table does
 * not know. `today` is `YYYY-MM-DD`; the last day of support is still one.
 */
export function endOfLifeOf(slug: string, segments: readonly string[], today: string): Eol | undefined {
  const found = cycleOf(slug, segments)
  return found && { cycle: found.cycle, date: found.eol, is_eol: found.eol < today }
}

function cycleOf(slug: string, segments: readonly string[]): Cycle | undefined {
  if (slug === 'kubernetes') {
    const support = supportOf(segments.join('.'))
    return support && { cycle: support.minor, eol: support.lastDay }
  }
  const cycles = Object.hasOwn(projects, slug) ? projects[slug] : undefined
  for (let length = Math.min(3, segments.length); cycles && length > 0; length--) {
    const found = cycles.find(({ cycle }) => cycle === segments.slice(0, length).join('.'))
    if (found) return found
  }
  return undefined
}
