import type { Service } from '../../service/service.ts'
import { recordAudit } from '../../store/accounts/audit.ts'
import { findUser } from '../../store/accounts/user.ts'
import type { Logger } from '../../util/log.ts'
import { RateLimiter } from './rate-limit.ts'
import type { RequestState } from './state.ts'

/** Limits log entries per minute: an attacker must not fill the disk or push other entries out of sight. */
const entriesPerMinute = 60
const entriesPerTargetPerMinute = 2

export interface Refusal {
  kind: 'key' | 'password'
  login: string | undefined
}

/**
 * Records rejected credentials in the access log, and in the audit with their account. Omits logins without an account,
 * because users sometimes type passwords there.
 */
export function createRefusals(
  { db, now }: Service,
  clock: () => number,
  logger: Logger,
): (state: RequestState, refusal: Refusal) => Promise<void> {
  const all = new RateLimiter(entriesPerMinute)
  const perTarget = new RateLimiter(entriesPerTargetPerMinute)
  return async (state, { kind, login }) => {
    state.refused = kind
    const { client, requestId } = state
    if (!perTarget.take(`${kind} ${client} ${login}`, clock()) || !all.take('', clock())) return
    try {
      const user = login === undefined ? undefined : await findUser(db, login)
      await recordAudit(db, { at: now(), user, action: `${kind}.refuse`, subject: client, requestId })
    } catch (error) {
      logger.error({ request_id: requestId, err: error }, 'a refused sign-in was not audited')
    }
  }
}
