import {
  isPaired,
  isTooNew,
  passesSuffix,
  type RangeReading,
  readRanges,
  toRows,
  withoutBroken,
} from './compatibility.ts'
import {
  type FoundMove,
  findMove,
  findOppositeOrder,
  findPassedLines,
  findRefused,
  findSilentRelease,
  type PassedLine,
  type RangeKnowledge,
  startsLater,
} from './find-move.ts'
import type { PartStep, PlanPart } from './part.ts'

/** The minor versions of Kubernetes on the path: the current one, and the target of each hop. */
export interface Way {
  from: string
  to: readonly string[]
}

export interface PartMove extends FoundMove {
  /** Target Kubernetes version of the hop; null if Kubernetes is not upgraded. */
  hop: string | null
  part: PlanPart
  /** Why the running version must be replaced. */
  reading: RangeReading
}

export interface MovedPart {
  part: PlanPart
  needs: 'ok' | 'upgrade_before' | 'blocked' | 'unknown'
  moves: PartMove[]
  /** Range of the running version for the last Kubernetes. */
  reading: RangeReading
  isPaired: boolean
  stuck?: StuckPart | undefined
}

/** A part that cannot be upgraded at a hop. */
export interface StuckPart {
  hop: string
  /** The part at that hop. */
  part: PlanPart
  reading: RangeReading
  /** The version is only beyond what was tested, or beyond its pair, which is not known to fail. */
  mayStay: boolean
  /** Releases are known up to this day, which is too long ago to exclude a newer one that may go with it. */
  oldSince: string | null | undefined
  /** A newer release without a published range for the hop's Kubernetes. */
  silent: PartStep | undefined
  /** Why the next line can only follow Kubernetes, while this one must be replaced before. */
  opposite: RangeReading | undefined
  /** Helm's range of a next line that is only refused because of the suffix of the cluster's version. */
  refused?: RangeReading | undefined
  /** Lines in the range, and why they have no acceptable release. */
  passedOver: PassedLine[]
}

/**
 * Moves one part through all hops: each time before it would leave its range, to the version that covers most of the path.
 */
export function movePart(start: PlanPart, way: Way, known: RangeKnowledge): MovedPart {
  const last = way.to.at(-1) ?? way.from
  const reading = readPart(start, last, known, way.from)
  const next = installs(start, way.from, known) ? { ...known, suffix: '' } : known
  const about = { part: start, reading, isPaired: reading.by !== undefined && isPaired(reading.by) }
  const { moves, part, stuck } = walk(start, way, { known, next })
  if (stuck) return { ...about, needs: needsOfStuck(stuck), moves, stuck }
  if (moves.length === 0) return { ...about, needs: reading.word === 'ok' ? 'ok' : 'unknown', moves }
  return {
    ...about,
    needs: readPart(part, last, next).word === 'ok' ? 'upgrade_before' : 'unknown',
    moves,
  }
}

/** The tool that installed this release also installs the next one, whatever Helm's rule about the suffix. */
function installs({ numbers, ...part }: PlanPart, running: string, { facts, suffix = '' }: RangeKnowledge) {
  return numbers !== undefined && passesSuffix(toRows(facts, part, numbers), running, suffix)
}

interface Knowledge {
  /** Facts for reading ranges of the running version. */
  known: RangeKnowledge
  /** Facts for reading ranges of target versions. */
  next: RangeKnowledge
}

/** `part`: the part at the end. */
function walk(start: PlanPart, way: Way, { known, next }: Knowledge) {
  const hops = way.to.length > 0 ? way.to : [way.from]
  const last = hops.at(-1)!
  const moves: PartMove[] = []
  let part = start
  let before = way.from
  for (const hop of hops) {
    const reading = part === start ? readPart(part, hop, known, way.from) : readPart(part, hop, next)
    if (mustMove(part, { reading, hop, last }, next)) {
      const found = findMove(part, { origin: way.from, before, hop, last }, next)
      if (found) {
        const isStaying = way.to.length === 0
        moves.push({ ...found, hop: isStaying ? null : hop, when: isStaying ? 'before' : found.when, part, reading })
        part = 'then' in found.target ? found.target.then(part.charts) : atLine(part, found.target.line)
      } else if (reading.word === 'no') {
        return { moves, part, stuck: stuckAt({ hop, before, reading }, { start, part }, next) }
      }
    }
    before = hop
  }
  return { moves, part }
}

function stuckAt(
  { hop, before, reading }: { hop: string; before: string; reading: RangeReading },
  { start, part }: { start: PlanPart; part: PlanPart },
  known: RangeKnowledge,
): StuckPart {
  const isOld = !isTooNew(reading, hop)
  const mayStay = reading.by!.kind === 'tested' || isPaired(reading.by!)
  const opposite = isOld ? findOppositeOrder(part, { before, hop }, known) : undefined
  return {
    hop,
    part,
    reading,
    mayStay,
    silent: isOld ? findSilentRelease({ start, part, minor: hop }, known) : undefined,
    opposite,
    oldSince:
      isOld && !opposite && !mayStay ? part.states.find(({ state }) => state === 'old_facts')?.since : undefined,
    refused: findRefused(part, hop, known),
    passedOver: isOld ? findPassedLines(part, { before, hop }, known) : [],
  }
}

function mustMove(
  part: PlanPart,
  { reading, hop, last }: { reading: RangeReading; hop: string; last: string },
  { facts }: RangeKnowledge,
) {
  if (startsLater(part, facts)) return true
  // A release that is too new for this Kubernetes is already running on an older one.
  return reading.word === 'no' && (hop === last || !isTooNew(reading, hop))
}

function needsOfStuck({ reading, mayStay, oldSince, silent }: StuckPart): MovedPart['needs'] {
  return mayStay || oldSince || (silent && reading.by!.kind !== 'required') ? 'unknown' : 'blocked'
}

/** Releases in a line that is missing from the catalog are unknown. */
const atLine = (part: PlanPart, line: string): PlanPart => ({
  ...part,
  version: line,
  numbers: { segments: line.split('.') },
  hasRelease: () => false,
  stepTo: () => undefined,
  whyNotTo: () => undefined,
})

/**
 * The running version is installed, whatever its chart says about the running Kubernetes. `running`: that Kubernetes;
 * undefined for a version that is not installed yet.
 */
function readPart(part: PlanPart, minor: string, known: RangeKnowledge, running?: string) {
  const rows = part.numbers ? toRows(known.facts, part, part.numbers) : []
  return readRanges(running === undefined ? rows : withoutBroken(rows, running, known.suffix ?? ''), minor, known)
}
