import type { Compatibility } from '../contract/upgrade-facts.ts'
import { isInChartRange } from './chart-kubernetes.ts'
import type { UpgradeFacts } from './facts.ts'
import { compareLines } from './line.ts'

/** The newest minor version of Kubernetes that was out on a day, `YYYY-MM-DD`; undefined where nobody knows. */
export type NewestOn = (day: string) => string | undefined

/** How ranges are read. */
export interface RangeReader {
  newestOn: NewestOn
  /** What the offering appends to versions of Kubernetes: see `helmSuffix`. */
  suffix?: string
}

/** What the published ranges say of one release line and one minor version of Kubernetes. */
export interface RangeReading {
  word: 'ok' | 'no' | 'unknown'
  /** The row that decides; undefined where none does. */
  by: Compatibility | undefined
  /** Up to which Kubernetes an open end counts, where it does. */
  openUpTo?: string | undefined
  /** A chart refuses versions with this suffix, and would take the same ones without it. */
  suffix?: string
}

/** `required` refuses; otherwise `supported` decides, in its absence `tested`, in the absence of both a stated maximum. */
export function readRanges(
  rows: readonly Compatibility[],
  kubernetes: string,
  { newestOn, suffix = '' }: RangeReader,
): RangeReading {
  const required = rows.filter(({ kind }) => kind === 'required')
  const refusing = required.find((row) => refuses(row, kubernetes, suffix))
  if (refusing) return { word: 'no', by: refusing, ...(isBySuffix(refusing, kubernetes, suffix) && { suffix }) }
  const row = rows.find(({ kind }) => kind === 'supported') ?? rows.find(({ kind }) => kind === 'tested')
  const by = row ?? required.find(({ kubernetes_max }) => kubernetes_max !== null)
  if (!by) return { word: 'unknown', by: required[0] }
  if (isBelow(kubernetes, by) || isAbove(kubernetes, by)) return { word: 'no', by }
  if (by.kubernetes_max !== null) return { word: 'ok', by }
  return readOpenEnd(by, kubernetes, newestOn)
}

/** Ranges of charts have holes, and some exclude all that an offering releases. */
function refuses(row: Compatibility, kubernetes: string, suffix: string): boolean {
  if (row.chart) return !isInChartRange(row.chart.range, kubernetes, suffix)
  return isBelow(kubernetes, row) || isAbove(kubernetes, row)
}

function isBySuffix({ chart }: Compatibility, kubernetes: string, suffix: string): boolean {
  return chart !== undefined && suffix !== '' && isInChartRange(chart.range, kubernetes, '')
}

/** A chart that refuses what runs for its suffix alone was installed by something that asks for no suffix. */
export function passesSuffix(rows: readonly Compatibility[], running: string, suffix: string): boolean {
  return rows.some((row) => refuses(row, running, suffix) && isBySuffix(row, running, suffix))
}

/** Rows of what runs without those of charts that refuse what runs already, which says nothing about another Kubernetes. */
export function withoutBroken(rows: readonly Compatibility[], running: string, suffix: string): Compatibility[] {
  return rows.filter((row) => !(refuses(row, running, suffix) && isBySuffix(row, running, suffix)))
}

/** Nobody can have supported a Kubernetes that was not out yet. */
function readOpenEnd(by: Compatibility, kubernetes: string, newestOn: NewestOn): RangeReading {
  if (by.kind !== 'supported') return { word: 'unknown', by }
  const openUpTo = newestOn(by.as_of)
  if (openUpTo === undefined || compareLines(kubernetes, openUpTo) > 0) return { word: 'unknown', by, openUpTo }
  return { word: 'ok', by, openUpTo }
}

/** It is refused for being below the minimum. */
export function isTooNew({ by }: RangeReading, kubernetes: string): boolean {
  return by !== undefined && isBelow(kubernetes, by)
}

function isBelow(kubernetes: string, { kubernetes_min: min }: Compatibility): boolean {
  return min !== null && compareLines(kubernetes, min) < 0
}

function isAbove(kubernetes: string, { kubernetes_max: max }: Compatibility): boolean {
  return max !== null && compareLines(kubernetes, max) > 0
}

/** The numbers of a version that name its line in the facts about a project; undefined for a project without facts. */
export function formatLine(facts: UpgradeFacts, slug: string, segments: readonly string[]): string | undefined {
  const [first] = facts.toLines(slug)
  if (first === undefined) return undefined
  const numbers = first.split('.').length
  return segments.length < numbers ? undefined : segments.slice(0, numbers).join('.')
}

/** A project by its slug, with the charts of it that run. */
interface RangeSubject {
  slug: string
  charts?: readonly string[]
}

/** The rows about a line. What a chart beside the main one states counts where it runs. */
export function rowsOfLine(facts: UpgradeFacts, { slug, charts = [] }: RangeSubject, line: string): Compatibility[] {
  return facts.rangesFor(slug, line).filter(({ chart }) => !chart || chart.isMain || charts.includes(chart.name))
}

/** The rows about a version: those of its line that hold from this patch on. */
export function toRows(
  facts: UpgradeFacts,
  subject: RangeSubject,
  version: { segments: readonly string[] },
): Compatibility[] {
  const line = formatLine(facts, subject.slug, version.segments)
  if (line === undefined) return []
  const text = version.segments.join('.')
  return rowsOfLine(facts, subject, line).filter(
    ({ from_patch }) => from_patch === undefined || compareLines(text, from_patch) >= 0,
  )
}

/** A line for one or two minor versions goes with Kubernetes, and usually works on more, unless it refuses others. */
export function isPaired({ kind, kubernetes_min: min, kubernetes_max: max }: Compatibility): boolean {
  if (kind === 'required' || min === null || max === null) return false
  const [minor, last] = [min, max].map((text) => Number(text.split('.')[1]))
  return last! - minor! <= 1
}
