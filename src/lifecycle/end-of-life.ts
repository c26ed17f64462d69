import type { Eol } from '../contract/eol.ts'
import { bundledCycles } from './bundled.ts'
import { type Cycle, type EolReader, readCycles } from './cycle.ts'

interface CycleFacts {
  fetched: readonly Cycle[]
  /** `YYYY-MM-DD` */
  today: string
}

/** Parses the cycles of a project once: fetched ones, else the bundled ones. */
export function endOfLifeReader(slug: string, { fetched, today }: CycleFacts): EolReader {
  const [own, bundled] = [readCycles(fetched, today), readCycles(bundledCycles(slug, today), today)]
  return (segments) => own(segments) ?? bundled(segments)
}

/** Support end for a single version of a project. */
export function endOfLifeFor(slug: string, segments: readonly string[], facts: CycleFacts): Eol | undefined {
  return endOfLifeReader(slug, facts)(segments)
}
