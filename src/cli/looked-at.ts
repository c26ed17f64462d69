import { parseTimestamp } from '../util/time.ts'
import { type Io, plain } from './io.ts'

/** A sentence on what an answer rests on. A warning says why the answer is no all-clear. */
export interface Remark {
  text: string
  isWarning: boolean
}

/** Facts and runs that are older than this many days are stale. */
const staleDays = 30
const daySeconds = 86_400

const sync = 'Run `relt catalog sync` (on the server, if you use one).'

export const note = (text: string): Remark => ({ text, isWarning: false })
export const warning = (text: string): Remark => ({ text, isWarning: true })

/** `day` is a day or a timestamp of the wire, `now` is in unix seconds. */
export function isStale(day: string, now: number): boolean {
  return daysSince(day, now) > staleDays
}

/** The day of the catalog, and a warning when that is over 30 days ago. Servers may not say the day. */
export function catalogRemark(day: string | null | undefined, now: number): Remark {
  if (!day || parseTimestamp(day) === undefined) return warning('The server does not say how old its catalog is.')
  if (!isStale(day, now)) return note(`Measured against the catalog of ${day}.`)
  return warning(
    `The catalog is ${daysSince(day, now)} days old (${day}). Newer releases and security fixes are missing. ${sync}`,
  )
}

/** Of the projects an answer is about, those for which the catalog has security facts; nothing when it has them for all. */
export function securityRemarks({ projects, known }: { projects: number; known: number }): Remark[] {
  if (known >= projects) return []
  const missing = known === 0 ? `any of ${count(projects, 'project')}` : `${projects - known} of ${projects} projects`
  return [warning(`The catalog has no security facts about ${missing}. Fixes may be missing. ${sync}`)]
}

export interface SeenCluster {
  cluster_name: string
  environment: string
  /** When its latest run was scanned. */
  seen_at: string
}

/** A warning for clusters whose latest run is over 30 days old. */
export function runRemarks(clusters: SeenCluster[], now: number): Remark[] {
  const stale = clusters.filter(({ seen_at }) => isStale(seen_at, now))
  if (stale.length === 0) return []
  const named = stale.map(
    ({ cluster_name, environment, seen_at }) => `${cluster_name} (${environment}) since ${seen_at.slice(0, 10)}`,
  )
  return [warning(`No run of ${listed(named)}. Changes since then are unknown.`)]
}

/** A warning about the environments that were left out because none was asked for. */
export function environmentRemarks(
  { cluster_name, environment }: { cluster_name: string; environment: string },
  others: string[] | undefined = [],
): Remark[] {
  if (others.length === 0) return []
  return [
    warning(
      `Only environment ${environment} of ${cluster_name}; it also has ${listed(others)}. Choose one with --environment.`,
    ),
  ]
}

/** A line each, for people. */
export function renderRemarks({ color }: Pick<Io, 'color'>, remarks: Remark[]): string {
  return remarks.map(({ text, isWarning }) => `${(isWarning ? color.yellow : color.dim)(plain(text))}\n`).join('')
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

function listed(names: string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}

function daysSince(day: string, now: number): number {
  return Math.floor((now - (parseTimestamp(day) ?? now)) / daySeconds)
}
