import type { AnswerCoverage } from '../../contract/answer-coverage.ts'
import { daysOld, factsLimit } from '../../contract/facts-age.ts'
import { staleDays } from '../../contract/thresholds.ts'
import { plain } from '../../render/terminal/terminal.ts'
import { daySeconds, parseTimestamp } from '../../util/time.ts'
import { count, listed } from '../../util/words.ts'
import { plainText } from '../../views/said.ts'
import type { Note } from '../../views/view.ts'
import type { Io } from './io.ts'

/** A sentence about what an answer is based on. */
export interface Remark {
  text: string
  /** The answer is no all-clear. */
  isWarning: boolean
  /** An action, on a separate line; other remarks share one. */
  isAlone?: boolean
}

/** A remark that does not apply is falsy. */
export type Remarks = (Remark | false | 0 | '' | null | undefined)[]

const sync = 'relt catalog sync'

export const note = (text: string) => ({ text, isWarning: false })
export const caveat = (text: string) => ({ text, isWarning: true })
export const warning = (text: string): Remark => ({ text, isWarning: true, isAlone: true })

export const formatRemark = ({ said, tone }: Note) => ({ text: plainText(said), isWarning: tone === 'warn' })

/** Remark for an account without runs. */
export const noArtifactsRemark = caveat('No report says what runs, so nothing was compared.')
export const uploadFirst = 'Upload one: relt reports upload FILE'

/** The day of the oldest facts, and how to update them if they are old. Some servers do not return the day. */
export function catalogRemark(day: string | null | undefined, now: number) {
  if (!day || parseTimestamp(day) === undefined) return caveat('The server does not say how old its catalog is.')
  const days = daysOld(day, now)
  return days === 0 ? note(`Facts of ${day}.`) : caveat(`Facts of ${day} (${days} days): ${sync}.`)
}

export function staleProjectsRemark(stale: number, projects: number) {
  return caveat(`Facts about ${stale} of ${count(projects, 'project')} are over ${factsLimit.days} days old: ${sync}.`)
}

/** A caveat if the catalog lacks security facts for some projects in an answer. */
export function securityRemarks({ projects, known }: { projects: number; known: number }) {
  if (known >= projects) return []
  const all = projects === 1 ? 'this project' : `these ${projects} projects`
  const missing = known === 0 ? all : `${projects - known} of ${projects} projects`
  return [caveat(`No security facts about ${missing}.`)]
}

export interface ClusterScan {
  cluster_name: string | null
  environment: string | null
  /** Time of the latest scan; null if unknown. */
  seen_at: string | null
}

/** A caveat for clusters whose latest run, or latest run of `kind`, is over 30 days old. */
export function runRemarks(clusters: ClusterScan[], now: number, kind = 'run') {
  const stale = clusters.filter(({ seen_at }) => seen_at !== null && daysSince(seen_at, now) > staleDays)
  if (stale.length === 0) return []
  const named = stale.map(
    ({ cluster_name, environment, seen_at }) =>
      `${cluster_name ?? 'the cluster'} (${environment ?? '-'}) since ${seen_at?.slice(0, 10)}`,
  )
  return [caveat(`No ${kind} of ${listed(named)}.`)]
}

/** Remarks on the clusters, catalog and security facts behind an answer about releases. */
export function basisRemarks(
  {
    catalog_date,
    looked_at,
  }: { catalog_date?: string | null | undefined; looked_at?: AnswerCoverage | null | undefined },
  now: number,
) {
  const { projects = 0, security_known: known = 0, clusters = [], behind_older_fixes: older = 0 } = looked_at ?? {}
  return [
    ...inventoryRemarks(clusters),
    catalogRemark(catalog_date, now),
    ...securityRemarks({ projects, known }),
    ...runRemarks(clusters, now, 'run with an inventory'),
    older > 0 && warning(`${count(older, 'artifact')} behind an older security fix. Run \`relt impact\`.`),
    looked_at?.truncated && caveat('Only the newest releases are listed. Choose fewer --days.'),
  ]
}

/** Number of rated running artifacts, and clusters without any. */
function inventoryRemarks(clusters: NonNullable<AnswerCoverage['clusters']>) {
  if (clusters.length === 0) return []
  const blind = clusters.filter(({ artifacts }) => artifacts === 0)
  const names = blind.map(({ cluster_name, environment }) => `${cluster_name} (${environment})`)
  return [measuredRemark(clusters), blind.length > 0 && caveat(`No run says which images are in ${listed(names)}.`)]
}

function measuredRemark(clusters: NonNullable<AnswerCoverage['clusters']>) {
  const seen = `Covers ${count(clusters.length, 'cluster')}`
  if (clusters.every(({ known }) => known === undefined)) return note(`${seen}.`)
  const artifacts = clusters.reduce((sum, cluster) => sum + cluster.artifacts, 0)
  const known = clusters.reduce((sum, cluster) => sum + (cluster.known ?? 0), 0)
  if (known === artifacts) return note(`${seen}, all versions known.`)
  const text = `${seen}; ${artifacts - known} of ${count(artifacts, 'version')} unknown.`
  return known === 0 ? caveat(text) : note(text)
}

/** Warns about the cluster's other environments, if none was requested. */
export function environmentRemarks(
  { cluster_name, environment }: { cluster_name: string | null; environment: string | null },
  others: string[] | null | undefined,
) {
  if (!others || others.length === 0) return []
  const only = `Only environment ${environment ?? '-'} of ${cluster_name ?? 'the cluster'}`
  return [caveat(`${only}; it also has ${listed(others)}: -e NAME.`)]
}

/** For users: actions on one line each, then the basis of the answer in one line. */
export function renderRemarks({ color }: Pick<Io, 'color'>, all: Remarks) {
  const remarks = all.filter((remark) => !!remark)
  const draw = ({ text, isWarning }: Remark) => (isWarning ? color.yellow : color.dim)(plain(text))
  const alone = remarks.filter(({ isAlone }) => isAlone).map(draw)
  const basis = remarks.filter(({ isAlone }) => !isAlone).map(draw)
  return [...alone, ...(basis.length > 0 ? [basis.join(' ')] : [])].map((line) => `${line}\n`).join('')
}

function daysSince(day: string, now: number) {
  return Math.floor((now - (parseTimestamp(day) ?? now)) / daySeconds)
}
