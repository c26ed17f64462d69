import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { bundledCycles } from '../../lifecycle/bundled.ts'
import type { Cycle } from '../../lifecycle/cycle.ts'
import { offeringCycles, offeringIds } from '../../lifecycle/offering-cycles.ts'
import { findCycles } from '../../store/catalog/cycle.ts'
import { listProjectSlugs } from '../../store/catalog/project.ts'
import { listEndingExceptions } from '../../store/findings/exception.ts'
import { type NewEvent, recordEvents } from '../../store/notifications/record-event.ts'
import { daySeconds, formatDay, parseTimestamp, type UnixSeconds } from '../../util/time.ts'

/** Days before the end of support, and before an exception expires. */
const [supportDays, exceptionDays] = [30, 7]

/** Records events for upcoming ends, once for each end. Returns how many were found. */
export async function recordDailyEvents(db: Db, now: UnixSeconds) {
  const events = [...(await endingSupports(db, now)), ...(await endingExceptions(db, now))]
  if (events.length > 0) await write(db, 'nothing', (trx) => recordEvents(trx, events))
  return events.length
}

async function endingSupports(db: Db, now: UnixSeconds): Promise<NewEvent[]> {
  const today = formatDay(now)
  const projects = await listProjectSlugs(db)
  const fetched = await findCycles(
    db,
    projects.map(({ id }) => id),
  )
  return projects.flatMap(({ id: projectId, slug }) => [
    ...(fetched.get(projectId) ?? bundledCycles(slug, today)).flatMap((cycle) => toEnding(projectId, cycle, now)),
    ...(slug === 'kubernetes' ? endingOfferings(projectId, now) : []),
  ])
}

/** Support ends of managed Kubernetes offerings. */
const endingOfferings = (projectId: number, now: UnixSeconds): NewEvent[] =>
  offeringIds().flatMap((offering) =>
    offeringCycles(offering)!.cycles.flatMap((cycle) => toEnding(projectId, { ...cycle, offering }, now)),
  )

function toEnding(
  projectId: number,
  { cycle: line, eol, offering }: Pick<Cycle, 'cycle' | 'eol'> & { offering?: string },
  now: UnixSeconds,
): NewEvent[] {
  const endsAt = typeof eol === 'string' ? parseTimestamp(eol) : undefined
  if (endsAt === undefined || endsAt <= now || endsAt > now + supportDays * daySeconds) return []
  const key = ['support.ends', projectId, line, eol, ...(offering === undefined ? [] : [offering])].join('/')
  return [{ type: 'support.ends', at: now, projectId, key, data: { line, endsAt, ...(offering && { offering }) } }]
}

async function endingExceptions(db: Db, now: UnixSeconds): Promise<NewEvent[]> {
  const ending = await listEndingExceptions(db, { after: now, until: now + exceptionDays * daySeconds })
  return ending.map(({ exceptionId, ownerId, endsAt }) => ({
    type: 'exception.expires',
    at: now,
    ownerId,
    key: `exception.expires/${exceptionId}/${endsAt}`,
    data: { exceptionId, endsAt },
  }))
}
