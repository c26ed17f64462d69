import { randomBytes } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Run } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { ReltError } from '../../errors.ts'
import {
  countGaps,
  type ExpectedScope,
  findGaps,
  firstScope,
  growScope,
  mergeScopes,
  replaceScope,
  type ScopeGaps,
  type SeenScope,
  withFaults,
  without,
  withoutWithdrawn,
} from '../../reports/accepted-scope.ts'
import { isNewer } from '../../reports/comparability.ts'
import { describeLook } from '../../reports/run-ledger.ts'
import { toCheckNotRun } from '../../reports/run-record.ts'
import { type AcceptedScopeRow, listAcceptedScopes, saveAcceptedScope } from '../../store/runs/accepted-scope.ts'
import { findLatestOfSeries } from '../../store/runs/latest-run.ts'
import { findRunBefore } from '../../store/runs/list-runs.ts'
import { setGaps } from '../../store/runs/run.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import { pack, unpack } from '../../util/pack.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from './context.ts'

/** Null: nobody accepted a scope, so it is that of the first scan plus later additions. */
type Acceptance = Pick<AcceptedScopeRow, 'run_id' | 'accepted_at' | 'accepted_by'> & { reason: string | null }

interface Opened {
  scope: ExpectedScope
  acceptance: Acceptance
  /** The run whose acceptance reduced the scope; null if none did. Earlier scores have a larger scope. */
  reducedBy: string | null
}

type Sealed = ExpectedScope & { reason?: string | null; reduced_by?: string | null }

/** Undefined before the first run. */
async function open(db: Db, vault: Vault, seriesId: number): Promise<Opened | undefined> {
  const rows = await listAcceptedScopes(db, seriesId)
  const [first, ...others] = rows.map((row) => openRow(vault, row))
  if (!first) return undefined
  return { ...first, scope: others.reduce((all, { scope }) => mergeScopes(all, scope), first.scope) }
}

function openRow(vault: Vault, row: AcceptedScopeRow): Opened {
  const { scope_id, key_id: keyId, sealed, run_id, accepted_at, accepted_by } = row
  const piece = { kind: 'accepted_scope', part: 0, keyId, sealed }
  const {
    reason = null,
    reduced_by = null,
    ...scope
  }: Sealed = JSON.parse(unpack(vault.open(scope_id, piece)).toString('utf8'))
  return { scope, acceptance: { run_id, accepted_at, accepted_by, reason }, reducedBy: reduced_by }
}

async function save(trx: Db, vault: Vault, seriesId: number, opened: Opened): Promise<void> {
  const { scope, acceptance, reducedBy } = opened
  const { reason, ...columns } = acceptance
  const scope_id = `scope_${randomBytes(10).toString('hex')}`
  const content: Sealed = { ...scope, reason, reduced_by: reducedBy }
  const { keyId, sealed } = vault.seal(scope_id, 'accepted_scope', 0, pack(JSON.stringify(content)))
  await saveAcceptedScope(trx, { scope_id, series_id: seriesId, ...columns, key_id: keyId, sealed })
}

const unaccepted: Acceptance = { run_id: null, accepted_at: null, accepted_by: null, reason: null }

/** The columns of a run about gaps in its scope. */
export interface GapColumns {
  scope_gaps: number
  gaps_key: string
  known_faults: number
}

/**
 * Adds the scope of a scan to the accepted scope, without the checks that a newer version of its scanner, `version`, has
 * withdrawn. Call it before the run is stored.
 */
export async function addToScope(
  trx: Db,
  vault: Vault,
  seriesId: number,
  seen: SeenScope & { version: string | null },
): Promise<GapColumns> {
  const known = await open(trx, vault, seriesId)
  const latest = known && (await findLatestOfSeries(trx, seriesId))
  const isOfNewer = isNewer(seen.version, latest?.run.source_version)
  const grown = known
    ? { ...known, scope: growScope(isOfNewer ? withoutWithdrawn(known.scope, seen) : known.scope, seen) }
    : { scope: firstScope(seen), acceptance: unaccepted, reducedBy: null }
  if (!isDeepStrictEqual(grown, known)) await save(trx, vault, seriesId, grown)
  return gapColumns(vault, seen, grown)
}

/** For a run that is indexed again. */
export async function findGapColumns(trx: Db, vault: Vault, seriesId: number, seen: SeenScope): Promise<GapColumns> {
  return gapColumns(vault, seen, await open(trx, vault, seriesId))
}

/** The parts of the expected scope that a run lacks. */
export async function findScopeGaps(trx: Db, vault: Vault, seriesId: number, seen: SeenScope): Promise<ScopeGaps> {
  const known = await open(trx, vault, seriesId)
  return known ? findGaps(known.scope, seen) : noGaps
}

const noGaps: ScopeGaps = { checks: [], namespaces: [], kinds: [] }

/** A keyed hash, because check ids may contain names of resources. */
function gapColumns(vault: Vault, seen: SeenScope, known: Omit<Opened, 'acceptance'> | undefined): GapColumns {
  const gaps = known ? findGaps(known.scope, seen) : noGaps
  const reducedBy = known && seen.at >= known.scope.from ? known.reducedBy : null
  const scope_gaps = countGaps(gaps)
  const known_faults = withFaults(known?.scope, seen).filter(({ fault }) => fault !== undefined).length
  const notRun = seen.checksNotRun.map(({ id }) => id).sort()
  if (scope_gaps + notRun.length === 0 && reducedBy === null) return { scope_gaps, known_faults, gaps_key: '' }
  const all = { ...gaps, notRun, reducedBy }
  const gaps_key = vault.keyedHash('score-gaps', JSON.stringify(all)).toString('hex', 0, 8)
  return { scope_gaps, known_faults, gaps_key }
}

/**
 * Accepts this run's scope, by the user with this login. Returns what is no longer expected. Throws `conflict` unless the
 * run is the latest of its scanner.
 */
export async function acceptScope(
  trx: Db,
  vault: Vault,
  stored: StoredRun,
  { by, reason, now }: { by: string; reason: string | undefined; now: UnixSeconds },
): Promise<ScopeGaps> {
  const { seriesId, run } = stored
  const latest = await findLatestOfSeries(trx, seriesId)
  if (latest && latest.id !== stored.id) {
    throw new ReltError('conflict', `A later run of ${run.format} is stored: ${latest.run.run_id}.`, {
      id: latest.run.run_id,
      hint: 'Accept the scope of that one.',
    })
  }
  const seen = { ...(await openContext(trx, vault, stored.id, run.run_id)), at: stored.at }
  const known = await open(trx, vault, seriesId)
  const scope = known ? replaceScope(known.scope, seen) : firstScope(seen)
  const acceptance = { run_id: run.run_id, accepted_at: now, accepted_by: by, reason: reason ?? null }
  const dropped = known ? findGaps(known.scope, seen) : noGaps
  const reducedBy = countGaps(dropped) > 0 ? run.run_id : (known?.reducedBy ?? null)
  await save(trx, vault, seriesId, { scope, acceptance, reducedBy })
  await setGaps(trx, stored, gapColumns(vault, seen, { scope, reducedBy }))
  return dropped
}

/** Compares the scope of a run with the scanner's previous run and the accepted scope, and lists checks that did not run. */
export async function describeScope(
  db: Db,
  vault: Vault,
  stored: StoredRun,
): Promise<
  Pick<Run, 'scanner' | 'subjects' | 'checks_not_run' | 'first_seen_checks' | 'missing_checks' | 'accepted_scope'>
> {
  const { seriesId, at, run } = stored
  const context = await openContext(db, vault, stored.id, run.run_id)
  const before = await findRunBefore(db, stored)
  const earlier = before && (await openContext(db, vault, before.id, before.run.run_id)).scope.checkIds
  const { checkIds } = context.scope
  const known = await open(db, vault, seriesId)
  return {
    scanner: run.format,
    subjects: describeLook(context),
    checks_not_run: withFaults(known?.scope, { ...context, at }).map(toCheckNotRun),
    first_seen_checks: earlier && checkIds ? without(checkIds, earlier) : null,
    missing_checks: earlier && checkIds ? without(earlier, checkIds) : null,
    accepted_scope: known ? toAcceptedScope(known, { ...context, at }) : null,
  }
}

function toAcceptedScope({ scope, acceptance }: Opened, seen: SeenScope): Run['accepted_scope'] {
  const { run_id, accepted_at, accepted_by, reason } = acceptance
  const { checks, namespaces, kinds } = findGaps(scope, seen)
  return {
    run_id,
    accepted_by,
    reason,
    accepted_at: accepted_at === null ? null : formatTimestamp(accepted_at),
    checks: scope.checks?.length ?? null,
    missing_checks: checks,
    missing_namespaces: namespaces,
    missing_kinds: kinds,
  }
}
