import type { Compatibility } from '../contract/upgrade-facts.ts'
import { isInChartRange } from './chart-kubernetes.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines } from './line.ts'

/** Returns the newest minor version of Kubernetes released by a day, `YYYY-MM-DD`; undefined if unknown. */
export type NewestOn = (day: string) => string | undefined

/** Options for reading ranges. */
export interface RangeReader {
  newestOn: NewestOn
  /** Suffix of the offering's Kubernetes versions: see `helmSuffix`. */
  suffix?: string
}

/** What published ranges say about one release line and one minor version of Kubernetes. */
export interface RangeReading {
  word: 'ok' | 'no' | 'unknown'
  /** The deciding row; undefined if there is none. */
  by: Compatibility | undefined
  /** The last Kubernetes version for which an open end counts. */
  openUpTo?: string | undefined
  /** A chart refuses versions with this suffix, and would accept them without it. */
  suffix?: string
}

/** `required` can refuse; otherwise the first of these kinds decides, else a required maximum. */
const deciding: Compatibility['kind'][] = ['supported', 'stated', 'tested']

export function readRanges(
  rows: readonly Compatibility[],
  kubernetes: string,
  { newestOn, suffix = '' }: RangeReader,
): RangeReading {
  const required = rows.filter(({ kind }) => kind === 'required')
  const refusing = required.find((row) => refuses(row, kubernetes, suffix))
  if (refusing) return { word: 'no', by: refusing, ...(isBySuffix(refusing, kubernetes, suffix) && { suffix }) }
  const [row] = deciding.flatMap((one) => rows.find(({ kind }) => kind === one) ?? [])
  const by = row ?? required.find(({ kubernetes_max }) => kubernetes_max !== null)
  if (!by) return { word: 'unknown', by: required[0] }
  if (isBelow(kubernetes, by) || isAbove(kubernetes, by)) return { word: 'no', by }
  if (by.kubernetes_max !== null) return { word: 'ok', by }
  return readOpenEnd(by, kubernetes, newestOn)
}

/** Chart ranges can have gaps, and some exclude all versions of an offering. */
function refuses(row: Compatibility, kubernetes: string, suffix: string) {
  if (row.chart) return !isInChartRange(row.chart.range, kubernetes, suffix)
  return isBelow(kubernetes, row) || isAbove(kubernetes, row)
}

function isBySuffix({ chart }: Compatibility, kubernetes: string, suffix: string) {
  return chart !== undefined && suffix !== '' && isInChartRange(chart.range, kubernetes, '')
}

/** A chart that refuses the running version only for its suffix was installed by a tool that ignores suffixes. */
export function passesSuffix(rows: readonly Compatibility[], running: string, suffix: string) {
  return rows.some((row) => refuses(row, running, suffix) && isBySuffix(row, running, suffix))
}

/**
 * Rows for the running version, without those of charts that refuse the running Kubernetes, which say nothing about another.
 */
export function withoutBroken(rows: readonly Compatibility[], running: string, suffix: string) {
  return rows.filter((row) => !(refuses(row, running, suffix) && isBySuffix(row, running, suffix)))
}

/** A range cannot cover a Kubernetes version released after it. */
function readOpenEnd(by: Compatibility, kubernetes: string, newestOn: NewestOn): RangeReading {
  if (by.kind !== 'supported') return { word: 'unknown', by }
  const openUpTo = newestOn(by.as_of)
  if (openUpTo === undefined || compareLines(kubernetes, openUpTo) > 0) return { word: 'unknown', by, openUpTo }
  return { word: 'ok', by, openUpTo }
}

/** Refused because Kubernetes is too new rather than too old. */
export function isTooNew({ by }: RangeReading, kubernetes: string) {
  return by !== undefined && isBelow(kubernetes, by)
}

function isBelow(kubernetes: string, { kubernetes_min: min }: Compatibility) {
  return min !== null && compareLines(kubernetes, min) < 0
}

function isAbove(kubernetes: string, { kubernetes_max: max }: Compatibility) {
  return max !== null && compareLines(kubernetes, max) > 0
}

/** The numbers that identify a version's line in the facts about a project; undefined for a project without facts. */
export function formatLine(facts: UpgradeFacts, slug: string, segments: readonly string[]) {
  const [first] = facts.toLines(slug)
  if (first === undefined) return undefined
  const numbers = first.split('.').length
  return segments.length < numbers ? undefined : segments.slice(0, numbers).join('.')
}

/** A project by its slug, with its running charts. */
interface RangeSubject {
  slug: string
  charts?: readonly string[]
}

/** The rows about a line. Those of a secondary chart count if it runs. */
export function rowsOfLine(facts: UpgradeFacts, { slug, charts = [] }: RangeSubject, line: string) {
  return facts.rangesFor(slug, line).filter(({ chart }) => !chart || chart.isMain || charts.includes(chart.name))
}

/** The rows about a version: those of its line that apply from this patch on. */
export function toRows(facts: UpgradeFacts, subject: RangeSubject, version: { segments: readonly string[] }) {
  const line = formatLine(facts, subject.slug, version.segments)
  if (line === undefined) return []
  const text = version.segments.join('.')
  return rowsOfLine(facts, subject, line).filter(
    ({ from_patch }) => from_patch === undefined || compareLines(text, from_patch) >= 0,
  )
}

/**
 * A line for one or two minor versions is upgraded with Kubernetes, and usually works on more versions unless it refuses
 * them.
 */
export function isPaired({ kind, kubernetes_min: min, kubernetes_max: max }: Compatibility) {
  if (kind === 'required' || min === null || max === null) return false
  const [minor, last] = [min, max].map((text) => Number(text.split('.')[1]))
  return last! - minor! <= 1
}
