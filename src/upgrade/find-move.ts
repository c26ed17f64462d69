import type { UpgradeRule } from '../contract/state-facts.ts'
import {
  formatLine,
  isPaired,
  isTooNew,
  type RangeReader,
  type RangeReading,
  readRanges,
  rowsOfLine,
  toRows,
} from './compatibility.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines, minorsBetween, toMinor } from './line.ts'
import type { Numbered, PartStep, PlanPart } from './part.ts'

export interface RangeKnowledge extends RangeReader {
  facts: UpgradeFacts
  toRules(slug: string): readonly UpgradeRule[]
}

/** A step, or a line without a release in the catalog, with the lines to stop at before it. */
export type MoveTarget = PartStep | { line: string; via: string[] }

/** Minor versions of Kubernetes: at the start, before a hop, after it, and at the end. */
interface MoveSpan {
  origin: string
  before: string
  hop: string
  last: string
}

export interface FoundMove {
  target: MoveTarget
  /** A paired part is upgraded after Kubernetes if no release of it supports both versions. */
  when: 'before' | 'after'
  /** Why the target is allowed. */
  allowed: RangeReading
  /** Lower lines for the same Kubernetes, and why they have no acceptable release. */
  passedOver: PassedLine[]
}

export interface PassedLine {
  line: string
  because: string
}

/** The lowest line that supports the whole path, else the rest of it, else as many hops as possible. */
export function findMove(part: PlanPart, { origin, before, hop, last }: MoveSpan, known: RangeKnowledge) {
  const spans = [[origin, last], ...downFrom(last, hop).map((minor) => [before, minor])]
  const lines = wantedLines(part, known.facts)
  for (const span of spans) {
    const found = listedMove(part, { lines, span }, known) ?? unlistedMove(part, { lines, span }, known)
    if (found) return found
  }
  return pairedMove(part, { lines, span: [hop] }, known)
}

/** The newest acceptable release of a newer line without a published range for this Kubernetes. */
export function findSilentRelease(
  { start, part, minor }: { start: PlanPart; part: PlanPart; minor: string },
  known: RangeKnowledge,
) {
  const { facts } = known
  const own = ownLine(part, facts)
  if (own === undefined) return undefined
  return start.stepTo((version) => {
    const line = formatLine(facts, part.slug, version.segments)
    if (line === undefined || compareLines(line, own) <= 0) return false
    return readRanges(toRows(facts, part, version), minor, known).word === 'unknown'
  })
}

/**
 * The range of the next line, if it requires the new Kubernetes: it can only follow Kubernetes, while the running line must
 * be replaced before.
 */
export function findOppositeOrder(
  part: PlanPart,
  { before, hop }: { before: string; hop: string },
  known: RangeKnowledge,
): RangeReading | undefined {
  for (const line of wantedLines(part, known.facts)) {
    const rows = rowsOfLine(known.facts, part, line)
    if (readRanges(rows, hop, known).word !== 'ok') continue
    const reading = readRanges(rows, before, known)
    return reading.word === 'no' && isTooNew(reading, before) ? reading : undefined
  }
  return undefined
}

/** Newer lines that support both sides of a hop, and why they have no acceptable release. */
export function findPassedLines(
  part: PlanPart,
  { before, hop }: { before: string; hop: string },
  known: RangeKnowledge,
): PassedLine[] {
  const { facts } = known
  return wantedLines(part, facts).flatMap((line) => {
    if (!coverOf(rowsOfLine(facts, part, line), [before, hop], known)) return []
    const because = part.whyNotTo(({ segments }) => formatLine(facts, part.slug, segments) === line)
    return because === undefined ? [] : [{ line, because }]
  })
}

/** A newer line for this Kubernetes whose chart refuses the suffix of the cluster's version. */
export function findRefused(part: PlanPart, hop: string, known: RangeKnowledge): RangeReading | undefined {
  for (const line of wantedLines(part, known.facts)) {
    const reading = readRanges(rowsOfLine(known.facts, part, line), hop, known)
    if (reading.suffix !== undefined) return reading
  }
  return undefined
}

interface Search {
  /** Candidate lines, ascending. */
  lines: string[]
  /** Minor versions that must all be in the range. */
  span: readonly string[]
}

function listedMove(part: PlanPart, { lines, span }: Search, known: RangeKnowledge): FoundMove | undefined {
  const { facts } = known
  const passedOver: PassedLine[] = []
  for (const line of lines) {
    const rows = rowsOfLine(facts, part, line)
    const allowed = coverOf(rows, span, known)
    if (!allowed) continue
    const isLater = rows.some(({ from_patch }) => from_patch !== undefined)
    const isWanted = (version: Numbered) =>
      formatLine(facts, part.slug, version.segments) === line &&
      (!isLater || coverOf(toRows(facts, part, version), span, known) !== undefined)
    const target = part.stepTo(isWanted)
    if (target) return { target, when: 'before', allowed, passedOver }
    const because = part.whyNotTo(isWanted)
    if (because !== undefined) passedOver.push({ line, because })
  }
  return undefined
}

function unlistedMove(part: PlanPart, { lines, span }: Search, known: RangeKnowledge): FoundMove | undefined {
  const { facts } = known
  for (const line of lines) {
    const allowed = coverOf(rowsOfLine(facts, part, line), span, known)
    if (!allowed || part.hasRelease(({ segments }) => formatLine(facts, part.slug, segments) === line)) continue
    const via = stopsBetween(known.toRules(part.slug), ownLine(part, facts)!, line)
    return { target: { line, via }, when: 'before', allowed, passedOver: [] }
  }
  return undefined
}

/**
 * A release that only supports the next Kubernetes can be installed after it, because such parts usually work on more
 * versions.
 */
function pairedMove(part: PlanPart, search: Search, known: RangeKnowledge): FoundMove | undefined {
  const lines = search.lines.filter((line) => rowsOfLine(known.facts, part, line).some(isPaired))
  const found = listedMove(part, { ...search, lines }, known)
  return found && { ...found, when: 'after' }
}

/** From the last version down to that of the hop. */
function downFrom(last: string, hop: string) {
  const [major, number] = last.split('.')
  const count = Number(number) - Number(hop.split('.')[1])
  return Array.from({ length: count + 1 }, (_, index) => `${major}.${Number(number) - index}`)
}

/** Newer lines, and the running one if one of its ranges applies from a later patch on. */
function wantedLines(part: PlanPart, facts: UpgradeFacts) {
  const own = ownLine(part, facts)
  if (own === undefined) return []
  const isOwnLater = rowsOfLine(facts, part, own).length > toRows(facts, part, part.numbers!).length
  return facts.toLines(part.slug).filter((line) => compareLines(line, own) > 0 || (isOwnLater && line === own))
}

function ownLine({ slug, numbers }: PlanPart, facts: UpgradeFacts) {
  return numbers && formatLine(facts, slug, numbers.segments)
}

/** Whether all ranges of the running line apply from a later patch on. */
export function startsLater(part: PlanPart, facts: UpgradeFacts) {
  const own = ownLine(part, facts)
  if (own === undefined || !part.numbers) return false
  return rowsOfLine(facts, part, own).length > 0 && toRows(facts, part, part.numbers).length === 0
}

/** The reading for the last version, if all are in the range. */
function coverOf(rows: Parameters<typeof readRanges>[0], minors: readonly string[], known: RangeReader) {
  const readings = minors.map((minor) => readRanges(rows, minor, known))
  return readings.every(({ word }) => word === 'ok') ? readings.at(-1) : undefined
}

/** The lines to stop at between two lines of a project, by its rules; for lines without a known release. */
function stopsBetween(rules: readonly UpgradeRule[], from: string, to: string) {
  const [first, last] = [toMinor(from), toMinor(to)]
  const minors = first === undefined || last === undefined ? [] : (minorsBetween(first, last) ?? [])
  const stops = rules.flatMap((rule) => {
    if (rule.rule === 'minor-by-minor') return minors
    if (rule.rule === 'max-minor-skip') return minors.filter((_, index) => (index + 1) % Number(rule.value) === 0)
    return rule.rule === 'required-stop' ? requiredStop(rule, from, to) : []
  })
  const isBetween = (line: string) => compareLines(from, line) < 0 && compareLines(line, to) < 0
  return [...new Set(stops)].filter(isBetween).sort(compareLines)
}

function requiredStop({ value, to: before }: UpgradeRule, from: string, to: string) {
  const stop = toMinor(String(value))
  const isCrossed = before !== undefined && compareLines(from, before) < 0 && compareLines(before, to) <= 0
  return stop !== undefined && isCrossed ? [stop] : []
}
