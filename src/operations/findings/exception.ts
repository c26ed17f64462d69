import { randomBytes } from 'node:crypto'
import type { ExceptedFinding, ExceptionInput, StoredException } from '../../contract/exception.ts'
import { maxReleaseDays } from '../../contract/thresholds.ts'
import type { Db } from '../../db/open.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import { isExceptionTarget } from '../../gate/exception-target.ts'
import type { User } from '../../store/accounts/user.ts'
import { countExceptions, type ExceptionRow, type NewException } from '../../store/findings/exception.ts'
import { daySeconds, formatTimestamp, parseTimestamp } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'
import type { Vault } from '../keys/vault.ts'

interface Content extends Omit<ExceptionInput, 'expires_on' | 'next_release_of' | 'all_clusters'> {
  finding?: ExceptedFinding
}

/** Checks rules that the schema cannot express. Throws `invalid_param`. */
export function checkException(
  { reason: _, expires_on, next_release_of, cluster_name, environment, all_clusters, ...target }: ExceptionInput,
  now: number,
) {
  const lastDay = parseTimestamp(expires_on)
  if (lastDay === undefined) throw invalidParams({ expires_on: 'no such day' })
  if (endOf(expires_on) <= now) throw invalidParams({ expires_on: 'must be today or later' })
  if (next_release_of !== undefined && lastDay > now + maxReleaseDays * daySeconds) {
    throw invalidParams({ expires_on: `must be within ${maxReleaseDays} days where the next release ends it` })
  }
  if (all_clusters ? cluster_name !== undefined : !cluster_name && !target.fingerprint) throw placeNeeded()
  const given = Object.entries(target).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (given.includes('justification') && !given.includes('advisory')) {
    throw invalidParams({ justification: 'belongs to an advisory' })
  }
  if (isExceptionTarget(given.filter((name) => name !== 'justification'))) return
  const targets = 'check, namespace, resource; or artifact, namespace; or advisory, artifact, namespace'
  const odd = ['fingerprint', 'advisory', 'artifact'].find((name) => given.includes(name)) ?? 'check'
  throw invalidParams({ [odd]: `an exception has a fingerprint; or ${targets}` })
}

export const placeNeeded = () =>
  invalidParams({ cluster_name: 'needs to be a cluster, or all_clusters to be true, but not both' })

/** The columns for the release that ends an exception. */
export type ReleaseColumns = Pick<NewException, 'release_project_id' | 'released_after'>

/** `now` in unix seconds. */
export function sealException(
  vault: Vault,
  { expires_on, next_release_of: _, all_clusters: __, ...content }: ExceptionInput,
  {
    by,
    now,
    finding,
    release,
  }: { by: User; now: number; finding?: ExceptedFinding | undefined; release: ReleaseColumns },
): NewException {
  const exception_id = `exc_${randomBytes(10).toString('hex')}`
  const { keyId, sealed } = vault.seal(
    exception_id,
    'exception',
    0,
    Buffer.from(JSON.stringify({ ...content, finding })),
  )
  return {
    exception_id,
    created_at: now,
    created_by: by.login,
    expires_on,
    ends_at: endOf(expires_on),
    ...release,
    ended_by: null,
    made_by: makerFor(by),
    key_id: keyId,
    sealed,
  }
}

export function openException(vault: Vault, row: ExceptionRow, now: number): StoredException {
  const { exception_id, key_id: keyId, sealed, expires_on, ends_at, ended_by, created_at, created_by } = row
  const isEndedEarly = ended_by !== null || ends_at < endOf(expires_on)
  const piece = { kind: 'exception', part: 0, keyId, sealed }
  const content: Content = JSON.parse(vault.open(exception_id, piece).toString('utf8'))
  return {
    exception_id,
    fingerprint: content.fingerprint ?? null,
    check: content.check ?? null,
    namespace: content.namespace ?? null,
    resource: content.resource ?? null,
    artifact: content.artifact ?? null,
    advisory: content.advisory ?? null,
    ...(content.finding && { finding: content.finding }),
    justification: content.justification ?? null,
    cluster_name: content.cluster_name ?? null,
    environment: content.environment ?? null,
    reason: content.reason,
    expires_on,
    ...nextReleaseFor(row),
    state: ends_at > now ? 'active' : 'expired',
    created_at: formatTimestamp(created_at),
    created_by,
    ended_at: isEndedEarly ? formatTimestamp(ends_at) : null,
    ended_by,
  }
}

function nextReleaseFor({ release_project_id, project_slug, project_name, next_version }: ExceptionRow) {
  if (release_project_id === null || project_name === null) return {}
  return {
    next_release: { product_id: release_project_id, slug: project_slug, name: project_name, version: next_version },
  }
}

/** Same limit as in a policy file. */
const maxExceptions = 1000

/** Throws `forbidden` if the owner has reached the maximum of active exceptions. */
export async function requireRoomForException(db: Db, ownerId: number, now: number): Promise<void> {
  if ((await countExceptions(db, ownerId, { after: now })) < maxExceptions) return
  throw new ReltError('forbidden', `The limit is ${maxExceptions} active exceptions.`, {
    hint: 'Expire those that are no longer needed: relt exceptions expire ID',
  })
}

/** The first second (unix) after a day, UTC. */
function endOf(day: string): number {
  return (parseTimestamp(day) ?? 0) + daySeconds
}
