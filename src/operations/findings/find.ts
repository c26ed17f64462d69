import type { FindingDetails, FindingOccurrence } from '../../contract/finding.ts'
import type { OwnerRule } from '../../contract/ownership.ts'
import type { Db } from '../../db/open.ts'
import { notFound, ReltError } from '../../errors.ts'
import { comparability, missingReport } from '../../reports/comparability.ts'
import {
  allFingerprints,
  checkAt,
  expectedWindow,
  findInWindow,
  findRecord,
  placesAt,
} from '../../reports/finding-records.ts'
import { fingerprintLength } from '../../reports/fingerprint.ts'
import { proposeFix } from '../../reports/fix/propose.ts'
import type { ClusterOwnership } from '../../reports/ownership.ts'
import { readFindings } from '../../reports/read-findings.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import { listSuppressed } from '../../reports/suppressed.ts'
import { getKnownFingerprints, type KnownFinding, listClustersWithFinding } from '../../store/runs/finding-history.ts'
import { type LatestRun, listLatestOfAllSeries } from '../../store/runs/latest-run.ts'
import { listRunsOfCluster } from '../../store/runs/list-runs.ts'
import { findRecordLengths, findRecordParts, getFindingRecords } from '../../store/runs/records.ts'
import { formatTimestamp, timestampOrNull } from '../../util/time.ts'
import { markExploited } from '../facts/exploited-findings.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { openGuidance } from '../runs/guidance.ts'
import { chooseLatestRuns, type RunChoice } from '../runs/latest.ts'
import { openFindings } from '../runs/open-findings.ts'
import type { Accepting } from './accepting.ts'
import { findOwnershipFor } from './ownership.ts'

/** Clusters beyond this number are counted without details. */
const maxClusters = 100
/** Maximum runs read to find the last sighting of a resolved finding. */
const maxRunsRead = 200

/** A run with the finding: as a record at this offset, or as a suppressed finding. */
interface Sighting {
  stored: LatestRun
  at: number | undefined
}

/** Finds a finding by its fingerprint or a unique prefix. Throws `not_found`, or `conflict` if the prefix is ambiguous. */
export async function findFinding(
  db: Db,
  choice: RunChoice & { fingerprint: string },
  openVault: Unlock,
): Promise<FindingDetails> {
  const vault = await openVault()
  const { full, stored } = await findFingerprint(db, choice, openVault)
  const { ownerId, clusterName: name, environment, runId } = choice
  const search = new OccurrenceSearch(db, vault, { full, stored })
  const chosen = runId === undefined ? undefined : await chooseLatestRuns(db, choice)
  const of = chosen?.[0]?.run
  const known = await listClustersWithFinding(
    db,
    of ? { ownerId, name: of.cluster_name, environment: of.environment } : { ownerId, name, environment },
    stored,
  )
  const described = known.slice(0, maxClusters)
  const latest = await listLatestOfAllSeries(db, { ownerId, ids: described.map(({ clusterId }) => clusterId) })
  const byCluster = Map.groupBy(latest, ({ clusterId }) => clusterId)
  await search.locate(latest)
  const occurrences: FindingOccurrence[] = []
  for (const each of described) occurrences.push(await search.describe(each, byCluster.get(each.clusterId) ?? []))
  const suppressed = known.length > 0 ? [] : await search.findSuppressed(await chooseLatestRuns(db, choice))
  for (const run of suppressed) occurrences.push(search.suppressedIn(run))
  const sighting = (chosen && (await search.sightingIn(chosen[0]!))) ?? search.best
  if (!sighting) throw known.length === 0 ? notFound('finding', choice.fingerprint) : noRunHas(full)
  const { finding, facts } = await search.read(sighting)
  const isGone = occurrences.every(({ state }) => state === 'resolved')
  const proposal = isGone ? undefined : proposeFix(finding, facts.owners)
  return {
    success: true,
    finding,
    run_id: sighting.stored.run.run_id,
    owners: ownersFor(finding, (await findOwnershipFor(db, ownerId, openVault)).in(sighting.stored.run, facts)),
    ...(proposal && { proposal }),
    clusters: occurrences.slice(0, maxClusters),
    clusters_total: known.length + suppressed.length,
  }
}

/** The finding's current fingerprint, as displayed and as stored. */
async function findFingerprint(
  db: Db,
  choice: RunChoice & { fingerprint: string },
  openVault: Unlock,
): Promise<{ full: string; stored: Buffer }> {
  const vault = await openVault()
  const fingerprint = choice.fingerprint.toLowerCase()
  if (!/^[0-9a-f]{4,32}$/.test(fingerprint)) throw notFound('finding', choice.fingerprint)
  const whole = fingerprint.length === 2 * fingerprintLength ? fingerprint : undefined
  const asked = whole ?? (await completeFingerprint(db, { ...choice, fingerprint }, openVault))
  const stored = vault.hideFingerprints(Buffer.from(asked, 'hex'))
  return { full: vault.showFingerprints(stored).toString('hex'), stored }
}

/** Marks clusters in which an exception covers the finding. */
export function markAccepted(found: FindingDetails, accepting: Accepting): FindingDetails {
  const { finding } = found
  const clusters = found.clusters.map((each) => {
    const accepted = each.state === 'open' ? accepting.in(each)?.of(finding) : undefined
    return { each: accepted ? { ...each, state: 'accepted' as const } : each, accepted }
  })
  const accepted = clusters.find((each) => each.accepted)?.accepted
  return {
    ...found,
    finding: { ...finding, ...(accepted && { accepted }) },
    clusters: clusters.map(({ each }) => each),
  }
}

const noRunHas = (fingerprint: string): ReltError =>
  new ReltError('not_found', `No stored run has the finding ${fingerprint} any more.`, {
    hint: 'Its runs were deleted or have expired.',
  })

function ownersFor(finding: FindingDetails['finding'], ownership: ClusterOwnership): OwnerRule[] {
  const places = finding.workloads ?? [finding]
  const rules = places.flatMap(({ namespace, resource }) => ownership.of(namespace, resource) ?? [])
  return [...new Map(rules.map((rule) => [rule.owner, rule])).values()]
}

class OccurrenceSearch {
  readonly #db: Db
  readonly #vault: Vault
  readonly #full: string
  readonly #stored: Buffer
  /** Cache: run → offset of the record, or undefined if the run lacks the finding. */
  readonly #located = new Map<number, number | undefined>()
  #runsRead = 0
  /** The newest sighting in the first cluster that has the finding now, or else in any cluster. */
  best: Sighting | undefined
  #bestIsOpen = false

  constructor(db: Db, vault: Vault, { full, stored }: { full: string; stored: Buffer }) {
    this.#db = db
    this.#vault = vault
    this.#full = full
    this.#stored = stored
  }

  /** Searches several runs at once. Skips runs whose records must be read completely. */
  async locate(runs: LatestRun[]): Promise<void> {
    const lengths = await findRecordLengths(
      this.#db,
      runs.map(({ id }) => id),
    )
    const windows = [...lengths].flatMap(([id, of]) => {
      const window = expectedWindow(of, this.#stored)
      return window ? [{ id, of, ...window }] : []
    })
    const parts = await findRecordParts(this.#db, windows)
    for (const { id, start, of } of windows) {
      const bytes = parts.get(id)
      const at = bytes ? findInWindow(bytes, { start, of, fingerprint: this.#stored }) : 'outside'
      if (at !== 'outside') this.#located.set(id, at)
    }
  }

  async describe(known: KnownFinding, latest: LatestRun[]): Promise<FindingOccurrence> {
    const first = {
      cluster_name: known.clusterName,
      environment: known.environment,
      first_seen_at: formatTimestamp(known.firstAt),
      first_run_id: known.firstRunId ?? null,
      doubt: null,
    }
    for (const run of latest) {
      const sighting = await this.sightingIn(run)
      if (sighting)
        return { ...first, ...this.#seen(sighting), ...(await this.#notLookedAt(sighting)), ...latestOf(run) }
    }
    const last = await this.#lastSighting(known.clusterId, latest)
    const current = latest.find(({ run }) => run.format === last?.stored.run.format)
    if (!last || !current) {
      return {
        ...first,
        state: 'unknown',
        last_seen_at: null,
        last_run_id: null,
        ...latestOf(latest[0]),
        doubt: last ? null : 'No stored run has it any more',
      }
    }
    this.#keep(last, false)
    return {
      ...first,
      state: 'resolved',
      last_seen_at: formatTimestamp(last.stored.at),
      last_run_id: last.stored.run.run_id,
      ...latestOf(current),
      doubt: await this.#doubt(last, current),
    }
  }

  async sightingIn(stored: LatestRun): Promise<Sighting | undefined> {
    const at = this.#located.has(stored.id)
      ? this.#located.get(stored.id)
      : findRecord(await getFindingRecords(this.#db, stored.id), this.#stored)
    if (at !== undefined) return this.#keep({ stored, at }, true)
    if (!stored.run.suppressed_findings) return undefined
    const { index } = await openFindings(this.#db, this.#vault, stored)
    const isSuppressed = index.suppressed.some(({ fingerprint }) => fingerprint === this.#full)
    return isSuppressed ? this.#keep({ stored, at: undefined }, true) : undefined
  }

  async findSuppressed(latest: LatestRun[]): Promise<LatestRun[]> {
    const found: LatestRun[] = []
    for (const run of latest) {
      if (run.run.suppressed_findings && (await this.sightingIn(run))) found.push(run)
    }
    return found
  }

  suppressedIn(stored: LatestRun): FindingOccurrence {
    const { cluster_name, environment } = stored.run
    return {
      cluster_name,
      environment,
      first_seen_at: null,
      first_run_id: null,
      doubt: null,
      ...this.#seen({ stored, at: undefined }),
      ...latestOf(stored),
    }
  }

  #seen({ stored, at }: Sighting) {
    return {
      state: at === undefined ? ('suppressed' as const) : ('open' as const),
      last_seen_at: formatTimestamp(stored.at),
      last_run_id: stored.run.run_id,
    }
  }

  /** When the finding was last looked at, if not by this run. */
  async #notLookedAt({ stored, at }: Sighting) {
    if (at === undefined || !stored.carried) return {}
    const { records, checks } = (await this.#open(stored)).index
    const { since } = checks[checkAt(records, at)]!
    return since === undefined
      ? {}
      : { last_seen_at: formatTimestamp(since), doubt: 'The latest scan did not look at it' }
  }

  #keep(sighting: Sighting, isOpen: boolean): Sighting {
    if (!this.best || (isOpen && !this.#bestIsOpen)) {
      this.best = sighting
      this.#bestIsOpen = isOpen
    }
    return sighting
  }

  async #lastSighting(clusterId: number, latest: LatestRun[]): Promise<Sighting | undefined> {
    const looked = new Set(latest.map(({ id }) => id))
    const left = maxRunsRead - this.#runsRead
    if (left <= 0) return undefined
    for (const stored of await listRunsOfCluster(this.#db, clusterId, left)) {
      if (looked.has(stored.id)) continue
      this.#runsRead++
      const records = await getFindingRecords(this.#db, stored.id)
      const at = findRecord(records, this.#stored)
      if (at !== undefined) return { stored, at }
    }
    return undefined
  }

  /** Why the latest run cannot show the finding. */
  async #doubt({ stored, at }: Sighting, current: LatestRun): Promise<string | null> {
    if (at === undefined) return null
    const [before, now] = [await this.#open(stored), await this.#open(current)]
    const compared = comparability(before, now)
    const why = compared.record(at) ?? (await this.#unreported(before, at, compared))
    if (!why) return null
    return {
      check_not_run: `Its check did not run in the latest scan: ${why.detail ?? ''}`,
      check_not_in_scope: 'The latest scan does not contain its check',
      check_withdrawn: 'The newer version of the scanner no longer has its check',
      subject_not_in_run: 'The latest scan is not about its image, folder or tool',
      part_not_in_run: 'The latest scan did not look at this kind of check',
      namespace_not_in_scope: 'The latest scan leaves out its namespace',
      another_scanner: null,
      not_listed: null,
      another_check: 'The latest scan has another check under its id',
      takes_turns: 'The latest scan has the other check of its id',
      report_missing: 'The latest scan has no report about a workload that had it',
    }[why.reason]
  }

  async #unreported(before: RunFindings, at: number, { isMissing, placeFor }: ReturnType<typeof comparability>) {
    const finding = await readOpen(before, at)
    const { index } = before
    const set = placesAt(index.records, at)
    const places =
      set === undefined ? [placeFor(finding)] : index.places!.sets[set]!.map((place) => index.places!.places[place]!)
    return places.some((key) => isMissing(finding.category, key)) ? missingReport : undefined
  }

  async read({ stored, at }: Sighting): Promise<{ finding: FindingDetails['finding']; facts: RunFindings }> {
    const findings = await this.#open(stored)
    const about = at === undefined ? this.#readSuppressed(findings) : await readOpen(findings, at)
    await markExploited<{ check_id: string }>(this.#db, [about])
    const guidance = await openGuidance(this.#db, this.#vault, stored)
    const advice = guidance.checks.find(({ id }) => id === about.check_id)
    const { recommendation = null, url = null } = advice ?? {}
    return { finding: { ...about, format: stored.run.format, recommendation, url }, facts: findings }
  }

  #readSuppressed(findings: RunFindings) {
    const { until, ...found } = listSuppressed(findings).find(({ fingerprint }) => fingerprint === this.#full)!
    return { ...found, suppressed_until: until }
  }

  #open(stored: LatestRun): Promise<RunFindings> {
    return openFindings(this.#db, this.#vault, stored)
  }
}

async function readOpen(findings: RunFindings, at: number) {
  const [found] = await readFindings(findings, [at])
  return {
    ...found!,
    check_id: findings.index.checks[checkAt(findings.index.records, at)]!.id,
    reason: null,
    suppressed_until: null,
  }
}

const latestOf = (run: LatestRun | undefined) => ({
  latest_run_id: run?.run.run_id ?? null,
  latest_scan_at: timestampOrNull(run?.at),
  gate: run?.run.gate?.verdict ?? null,
})

const maxCandidates = 5

/** Completes a prefix from the latest runs; if none matches, from all findings the clusters ever had. */
async function completeFingerprint(
  db: Db,
  choice: RunChoice & { fingerprint: string },
  openVault: Unlock,
): Promise<string> {
  const vault = await openVault()
  const runs = await chooseLatestRuns(db, choice)
  const prefix = new Prefix(choice.fingerprint)
  for (const run of runs) {
    prefix.addAll(vault.showFingerprints(allFingerprints(await getFindingRecords(db, run.id))))
    if (!run.run.suppressed_findings) continue
    const { index } = await openFindings(db, vault, run)
    for (const { fingerprint } of index.suppressed) prefix.add(fingerprint)
  }
  if (prefix.found.size === 0 && choice.runId === undefined) {
    for (const clusterId of new Set(runs.map(({ clusterId }) => clusterId))) {
      prefix.addAll(vault.showFingerprints(await getKnownFingerprints(db, clusterId)))
    }
  }
  const [only, ...more] = prefix.found
  if (only === undefined) throw notFound('finding', choice.fingerprint)
  if (more.length === 0) return only
  const shown = [only, ...more].slice(0, maxCandidates).join(', ')
  const rest = more.length >= maxCandidates ? ' and more' : ''
  throw new ReltError('conflict', `Several findings begin with ${choice.fingerprint}: ${shown}${rest}.`, {
    hint: 'Use more of the id.',
  })
}

/** Collects the fingerprints that start with these hex digits. */
class Prefix {
  readonly found = new Set<string>()
  readonly #text: string
  readonly #bytes: Buffer

  constructor(text: string) {
    this.#text = text
    this.#bytes = Buffer.from(text.slice(0, text.length & ~1), 'hex')
  }

  add(fingerprint: string): void {
    if (fingerprint.startsWith(this.#text)) this.found.add(fingerprint)
  }

  addAll(bytes: Buffer): void {
    const [first, second] = this.#bytes
    for (let at = 0; at < bytes.length; at += fingerprintLength) {
      if (bytes[at] === first && bytes[at + 1] === second) this.add(bytes.toString('hex', at, at + fingerprintLength))
    }
  }
}
