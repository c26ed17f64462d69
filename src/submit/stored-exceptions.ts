import type { Client } from '../client/client.ts'
import { endedDays } from '../contract/thresholds.ts'
import { insteadOf } from '../errors.ts'
import type { Exception } from '../gate/exception.ts'
import type { Policy } from '../gate/policy.ts'
import { toException } from '../gate/stored-exception.ts'
import { allPages } from '../util/all-pages.ts'

/**
 * Adds the server's exceptions to the policy. Without a client, or if the server has no such route, the policy records the
 * gap.
 */
export async function withStoredExceptions(client: Client | undefined, policy: Policy): Promise<Policy> {
  const stored = client && (await findStoredExceptions(client))
  if (stored) return { ...policy, exceptions: [...policy.exceptions, ...stored] }
  const why = client ? 'The server stores no exceptions' : 'The server could not be asked for exceptions'
  return { ...policy, exceptionsGap: `${why}, so only those of the policy file apply` }
}

/** Undefined if the server does not support exceptions. */
export async function findStoredExceptions(client: Client): Promise<Exception[] | undefined> {
  const stored = await allPages((page) =>
    client.call('listExceptions', { query: { page, per_page: 100, ended_days: endedDays } }),
  ).catch(insteadOf('not_found', undefined))
  return stored?.map(toException)
}
