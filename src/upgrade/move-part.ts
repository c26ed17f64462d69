import { isPaired, isTooNew, lineOf, type NewestOn, type RangeReading, readRanges, rowsOf } from './compatibility.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines } from './line.ts'
import type { PartStep, PlanPart } from './part.ts'

/** The minor versions of Kubernetes on the way: where it is, and where each hop leads. */
export interface Way {
  from: string
  to: readonly string[]
}

export interface PartMove {
  /** The Kubernetes that the hop leads to. */
  hop: string
  /** A paired part moves after Kubernetes, because no release of it is for both. */
  when: 'before' | 'after'
  part: PlanPart
  step: MoveTarget
  /** Why the running version cannot stay, and why the other can go. */
  reading: RangeReading
  allowed: RangeReading
}

/** A step, or a line of which the catalog lists no release. */
export type MoveTarget = PartStep | { line: string }

export interface MovedPart {
  part: PlanPart
  needs: 'ok' | 'upgrade_before' | 'blocked' | 'unknown'
  moves: PartMove[]
  /** What is said of the running version and the last Kubernetes. */
  reading: RangeReading
  isPaired: boolean
  /** The hop that it cannot take, and what is said there of the version that it has then. */
  stuck?: { hop: string; part: PlanPart; reading: RangeReading } | undefined
}

/** Takes one part through all hops: each time before it would leave its range, to a version for as much of the way as can be. */
export function movePart(start: PlanPart, way: Way, { facts, newestOn }: Known): MovedPart {
  const last = way.to.at(-1) ?? way.from
  const read = (part: PlanPart, minor: string) => readRanges(rowsOfPart(part, facts), minor, newestOn)
  const reading = read(start, last)
  const moves: PartMove[] = []
  const paired = reading.by !== undefined && isPaired(reading.by)
  let part = start
  let before = way.from
  for (const hop of way.to) {
    const now = read(part, hop)
    // A release that is too new for this Kubernetes runs on an older one already.
    if (now.word === 'no' && (hop === last || !isTooNew(now, hop))) {
      const found = findMove(part, { origin: way.from, before, hop, last }, { facts, newestOn })
      if (!found) {
        const isOpen = now.by!.kind === 'tested' || isPaired(now.by!)
        const stuck = { hop, part, reading: now }
        return { part: start, needs: isOpen ? 'unknown' : 'blocked', moves, reading, isPaired: paired, stuck }
      }
      const { target, when } = found
      const next = 'then' in target ? target.then() : part
      moves.push({ hop, when, part, step: target, reading: now, allowed: found.allowed })
      // Nothing is known of the releases of a line that the catalog does not list.
      if (!('then' in target)) break
      part = next
    }
    before = hop
  }
  if (moves.length === 0)
    return { part: start, needs: reading.word === 'ok' ? 'ok' : 'unknown', moves, reading, isPaired: paired }
  const end = moves.at(-1)!.step
  const rows = 'line' in end ? facts.rangesOf(part.slug, end.line) : rowsOfPart(part, facts)
  const isKnown = readRanges(rows, last, newestOn).word === 'ok'
  return { part: start, needs: isKnown ? 'upgrade_before' : 'unknown', moves, reading, isPaired: paired }
}

export interface Known {
  facts: UpgradeFacts
  newestOn: NewestOn
}

interface Span {
  origin: string
  before: string
  hop: string
  last: string
}

interface FoundMove {
  target: MoveTarget
  when: PartMove['when']
  allowed: RangeReading
}

/** The lowest line that is for the whole way, else for what is left of it, else for as many hops as can be. */
function findMove(part: PlanPart, { origin, before, hop, last }: Span, known: Known): FoundMove | undefined {
  const minors = [...new Set([last, ...downFrom(last, hop)])]
  const spans = [[origin, last], ...minors.map((minor) => [before, minor])]
  const lines = newerLines(part, known.facts)
  for (const span of spans) {
    for (const line of lines) {
      const target = stepInto(part, { line, minors: span }, known)
      if (target) return { ...target, when: 'before' }
    }
  }
  const unlisted = lines.filter(
    (line) => !part.hasRelease(({ segments }) => lineOf(known.facts, part.slug, segments) === line),
  )
  for (const span of spans) {
    for (const line of unlisted) {
      const allowed = coverOf(known.facts.rangesOf(part.slug, line), span, known.newestOn)
      if (allowed) return { target: { line }, when: 'before', allowed }
    }
  }
  return findPaired(part, { lines, hop }, known)
}

function downFrom(last: string, hop: string): string[] {
  const [major, number] = last.split('.')
  const count = Number(number) - Number(hop.split('.')[1])
  return Array.from({ length: count + 1 }, (_, index) => `${major}.${Number(number) - index}`)
}

function newerLines(part: PlanPart, facts: UpgradeFacts): string[] {
  const own = part.numbers && lineOf(facts, part.slug, part.numbers.segments)
  return facts.linesOf(part.slug).filter((line) => own !== undefined && compareLines(line, own) > 0)
}

/** The newest good release of the line whose range has all these minor versions. */
function stepInto(part: PlanPart, { line, minors }: { line: string; minors: string[] }, known: Known) {
  const { facts, newestOn } = known
  if (!coverOf(facts.rangesOf(part.slug, line), minors, newestOn)) return undefined
  const target = part.stepTo((version) => {
    return (
      lineOf(facts, part.slug, version.segments) === line &&
      coverOf(rowsOf(facts, part.slug, version), minors, newestOn) !== undefined
    )
  })
  return target && { target, allowed: coverOf(facts.rangesOf(part.slug, line), minors.slice(-1), newestOn)! }
}

/** What is said of the last of them, if all are in the range. */
function coverOf(rows: Parameters<typeof readRanges>[0], minors: readonly string[], newestOn: NewestOn) {
  const readings = minors.map((minor) => readRanges(rows, minor, newestOn))
  return readings.every(({ word }) => word === 'ok') ? readings.at(-1) : undefined
}

/** A release that is for the next Kubernetes only can go after it, because such parts usually work on more. */
function findPaired(
  part: PlanPart,
  { lines, hop }: { lines: string[]; hop: string },
  known: Known,
): FoundMove | undefined {
  for (const line of lines) {
    const rows = known.facts.rangesOf(part.slug, line)
    if (!rows.some(isPaired)) continue
    const found = stepInto(part, { line, minors: [hop] }, known)
    if (found) return { ...found, when: 'after' }
  }
  return undefined
}

function rowsOfPart({ slug, numbers }: PlanPart, facts: UpgradeFacts) {
  return numbers ? rowsOf(facts, slug, numbers) : []
}
