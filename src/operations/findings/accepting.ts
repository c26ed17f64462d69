import { createHash } from 'node:crypto'
import type { Comparison } from '../../contract/cluster-report.ts'
import type { StoredException } from '../../contract/exception.ts'
import type { ReceivedFinding } from '../../contract/received/cluster-report.ts'
import type { FindingAcceptance } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import { type Exception, Exceptions, exceptionsOfRun } from '../../gate/exception.ts'
import { toException } from '../../gate/stored-exception.ts'
import { listActive } from '../../store/findings/exception.ts'
import { formatDay, type UnixSeconds } from '../../util/time.ts'
import type { Unlock } from '../keys/vault.ts'
import { openException } from './exception.ts'

export interface Asking {
  ownerId: number
  vault: Unlock
  now: UnixSeconds
  /** Zone of the time of news, see `newsSince`. */
  timeZone?: string | undefined
}

/** An owner's active exceptions for findings. Exceptions for artifacts and advisories do not apply to findings. */
export class Accepting {
  readonly #stored: Map<Exception, StoredException>
  readonly #today: string

  constructor(stored: StoredException[], now: UnixSeconds) {
    const ofFindings = stored.filter(({ artifact, advisory }) => artifact === null && advisory === null)
    this.#stored = new Map(ofFindings.map((each) => [toException(each), each]))
    this.#today = formatDay(now)
  }

  /** Undefined if no exception applies to the cluster. */
  in(place: { cluster_name: string | null; environment: string | null }): ClusterAcceptance | undefined {
    const own = exceptionsOfRun([...this.#stored.keys()], place)
    return own.length === 0 ? undefined : new ClusterAcceptance(own, this.#stored, this.#today)
  }
}

/** The exceptions for findings of one cluster. */
export class ClusterAcceptance {
  readonly #stored: Map<Exception, StoredException>
  readonly #all: Exceptions
  readonly exceptions: Exception[]
  /** Cache key: depends on the exceptions that apply. */
  readonly key: string

  constructor(exceptions: Exception[], stored: Map<Exception, StoredException>, today: string) {
    this.exceptions = exceptions
    this.#stored = stored
    this.#all = new Exceptions(exceptions, today)
    const ids = exceptions.map((each) => stored.get(each)!.exception_id)
    this.key = createHash('sha256').update(ids.join('\n')).digest('base64url')
  }

  of(finding: ReceivedFinding): FindingAcceptance | undefined {
    const found = this.#all.forFinding(finding)
    if (!found) return undefined
    const { exception_id, reason, expires_on, next_release, created_by } = this.#stored.get(found)!
    const until = { expires_on, ...(next_release && { next_release_of: next_release.name }) }
    return { exception_id, reason, ...until, accepted_by: created_by }
  }

  /** Marks the covered findings and returns their number. */
  mark(findings: (ReceivedFinding & { accepted?: FindingAcceptance | undefined })[]): number {
    let marked = 0
    for (const finding of findings) {
      const accepted = this.of(finding)
      if (!accepted) continue
      finding.accepted = accepted
      marked++
    }
    return marked
  }
}

/** Without the store's key, no finding counts as accepted. */
export async function findAccepting(db: Db, { ownerId, vault, now }: Asking): Promise<Accepting> {
  const rows = await listActive(db, ownerId, now)
  const opened = rows.length > 0 ? await vault() : undefined
  return new Accepting(
    rows.map((row) => openException(opened!, row, now)),
    now,
  )
}

/** Marks findings of the later run that exceptions cover. */
export async function markComparison(db: Db, found: Comparison, asking: Asking): Promise<Comparison> {
  const acceptance = (await findAccepting(db, asking)).in(found.to)
  if (!acceptance) return { ...found, accepted_findings_count: 0 }
  for (const list of [
    found.changed_findings,
    found.first_seen_findings,
    found.back_in_scope_findings,
    found.not_looked_at_findings,
    found.at_rest_findings,
  ]) {
    acceptance.mark(list ?? [])
  }
  const accepted_findings_count = acceptance.mark([...found.new_findings, ...found.regressed_findings])
  return { ...found, accepted_findings_count }
}
