import type { UnixSeconds } from '../util/time.ts'
import { decideDigest, decideMessages } from './decide.ts'
import { type DigestPeriod, type DigestRule, digestWindows } from './digest-times.ts'
import type { InstalledVersions, LoggedEvent, PlannedMessage, Recipient } from './rules.ts'

/**
 * The messages that a period's events cause for a recipient, by due time. Rehearsals show them, and replays send them. Omits
 * empty digests.
 */
export function planPeriod(
  events: readonly LoggedEvent[],
  recipient: Recipient,
  running: InstalledVersions,
  { from, to }: { from: UnixSeconds; to: UnixSeconds },
): PlannedMessage[] {
  const within = events.filter(({ at }) => at > from && at <= to)
  const direct = decideMessages(within, recipient, running)
  const times = within.map(({ at }) => at)
  const digests = (['daily', 'weekly'] as const).flatMap((period) =>
    digestWindows(ruleFor(recipient, period), times, { from, to }).flatMap((window) => {
      const gathered = within.filter(({ at }) => at > window.from && at <= window.to)
      const digest = decideDigest(gathered, recipient, running, { period, ...window })
      return digest && digest.eventIds.length > 0 ? [digest] : []
    }),
  )
  return [...direct, ...digests].sort((a, b) => a.notBefore - b.notBefore || a.at - b.at)
}

export const ruleFor = ({ rules }: Pick<Recipient, 'rules'>, period: DigestPeriod): DigestRule => ({
  period,
  hour: rules.digest_hour,
  weekday: rules.digest_weekday,
  timeZone: rules.time_zone,
})
