import type { FindingAcceptance } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import type { Exception } from '../../gate/exception.ts'
import { checkAt, countAt, findRecord, rankAt, recordLength } from '../../reports/finding-records.ts'
import { namespacesAt } from '../../reports/place-sets.ts'
import { readFindings } from '../../reports/read-findings.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { FilterSubject } from '../../reports/select-findings.ts'
import type { LatestRun } from '../../store/runs/latest-run.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { globMatcher } from '../../util/glob.ts'
import { RecentValues } from '../../util/recent-values.ts'
import type { Vault } from '../keys/vault.ts'
import { openFindings } from '../runs/open-findings.ts'
import { type Asking, type ClusterAcceptance, findAccepting } from './accepting.ts'
import { keyAt } from './run-changes.ts'

/** A finding of a run that an exception covers. */
export interface AcceptedFinding {
  /** Offset of the finding's record. */
  at: number
  rank: number
  count: number
  /** Numbers of its check and namespaces in the run's records. */
  numbers: { check: number; namespace: readonly number[] }
  subject: FilterSubject
  by: FindingAcceptance
}

/** Key: stored fingerprint. */
export type AcceptedFindings = Map<string, AcceptedFinding>

/** By revision of the run, because exceptions never change. */
const known = new RecentValues<AcceptedFindings>(100_000)

interface Source {
  db: Db
  vault: Vault
  open: () => Promise<RunFindings>
}

/** The findings of a run that exceptions cover. Opens the run only if there may be any. */
export async function acceptedIn(
  stored: { id: number; revision: number; run: { run_id: string } },
  acceptance: ClusterAcceptance,
  source: Source,
): Promise<AcceptedFindings> {
  const key = `${stored.run.run_id} ${stored.revision} ${acceptance.key}`
  const found = known.get(key) ?? (await find(stored.id, acceptance, source))
  known.set(key, found, 1 + found.size)
  return found
}

/** Counts the findings of a run that exceptions cover. */
export async function countAccepted(
  db: Db,
  stored: Pick<LatestRun, 'id' | 'clusterId' | 'revision' | 'run'>,
  asking: Asking,
): Promise<number> {
  const acceptance = (await findAccepting(db, asking)).in(stored.run)
  return acceptance ? (await openAccepted(db, stored, acceptance, asking)).size : 0
}

/** The findings of a run that exceptions cover, if the run is not open yet. */
export async function openAccepted(
  db: Db,
  stored: Parameters<typeof openFindings>[2] & { revision: number },
  acceptance: ClusterAcceptance,
  { vault: getVault }: Pick<Asking, 'vault'>,
): Promise<AcceptedFindings> {
  const vault = await getVault()
  return acceptedIn(stored, acceptance, { db, vault, open: () => openFindings(db, vault, stored) })
}

async function find(rowId: number, acceptance: ClusterAcceptance, source: Source): Promise<AcceptedFindings> {
  const found = await findCandidates(rowId, acceptance.exceptions, source)
  return found ? read(found.run, found.offsets, acceptance) : new Map()
}

/** Offsets of all findings that exceptions may match, with the opened run; undefined if there can be none. */
export async function findCandidates(
  rowId: number,
  exceptions: Exception[],
  { db, vault, open }: Source,
): Promise<{ run: RunFindings; offsets: number[] } | undefined> {
  const records = await getFindingRecords(db, rowId)
  const offsets = new Set<number>()
  for (const { fingerprint } of exceptions) {
    if (fingerprint === undefined) continue
    const at = findRecord(records, vault.hideFingerprints(Buffer.from(fingerprint, 'hex')))
    if (at !== undefined) offsets.add(at)
  }
  const patterns = exceptions.filter(({ fingerprint }) => fingerprint === undefined)
  if (patterns.length === 0 && offsets.size === 0) return undefined
  const run = await open()
  if (patterns.length > 0) {
    const matchers = patterns.map(checkMatcher)
    const isPossible = run.index.checks.map(({ id }) => matchers.some((matches) => matches(id)))
    for (let at = 0; at < records.length; at += recordLength) {
      if (isPossible[checkAt(run.index.records, at)]) offsets.add(at)
    }
  }
  return { run, offsets: [...offsets] }
}

/** A scanner names a vulnerability as its check. */
function checkMatcher({ check = '*', advisory }: Exception): (id: string) => boolean {
  if (advisory === undefined) return globMatcher(check)
  return (id) => id.toUpperCase() === advisory.toUpperCase()
}

async function read(run: RunFindings, offsets: number[], acceptance: ClusterAcceptance): Promise<AcceptedFindings> {
  const { records, namespaces: names, places } = run.index
  const findings = await readFindings(run, offsets)
  const accepted: AcceptedFindings = new Map()
  findings.forEach((finding, i) => {
    const by = acceptance.of(finding)
    if (!by) return
    const at = offsets[i]!
    const { check_id: checkId, check_name: checkName, namespace, resource, message, value } = finding
    const rank = rankAt(records, at)
    const numbers = { check: checkAt(records, at), namespace: namespacesAt(records, at, places) }
    const namespaces = numbers.namespace.map((number) => names[number - 1] ?? null)
    const subject = { rank, checkId, checkName, namespace, namespaces, resource, message, value }
    accepted.set(keyAt(records, at), { at, rank, count: countAt(records, at), numbers, subject, by })
  })
  return accepted
}
