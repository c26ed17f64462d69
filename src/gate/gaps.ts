import type { FindingSeverity } from '../contract/scan-finding.ts'
import { isAsSevere } from '../contract/severity-rank.ts'
import type { Court } from './court.ts'
import type { Gap, GapScope } from './gap.ts'
import type { GateRule } from './rule.ts'

interface ScanGap extends Gap {
  /** An earlier run read it. */
  wasRead: boolean
  severity?: FindingSeverity | undefined
}

/** The parts and places that a run did not read, without those that it was not asked for. */
function listScanGaps({ run, changes }: Court): ScanGap[] {
  const { subjects } = run
  // A server without ledgers names only checks.
  if (!subjects) {
    const before = changes?.values().next().value?.comparison?.from?.checks_not_run ?? []
    const neverRan = new Set(before.map(({ check_id }) => check_id))
    const notRun = run.checks_not_run ?? []
    const unnamed = (run.not_run_checks ?? 0) - notRun.length
    return [
      ...notRun.flatMap(({ check_id: part, reason, known_fault }): ScanGap[] =>
        known_fault === undefined ? [{ part, reason, state: 'failed', wasRead: !neverRan.has(part) }] : [],
      ),
      ...(unnamed > 0
        ? [
            {
              part: '*',
              state: 'failed' as const,
              reason: { code: 'unnamed_checks' as const, unnamed },
              wasRead: true,
            },
          ]
        : []),
    ]
  }
  return subjects.flatMap(({ parts, places }) => {
    const { left_out, forbidden, failed, were_read = [] } = places
    const byState = { left_out, forbidden, failed }
    const ofPlaces = (['left_out', 'forbidden', 'failed'] as const).flatMap((state) =>
      byState[state].map((place) => ({ part: '*', place, state, reason: '', wasRead: were_read.includes(place) })),
    )
    const named = new Set(ofPlaces.map(({ place }) => place))
    return [
      ...parts.flatMap(({ name, state, reason = '', was_read = false, severity }): ScanGap[] =>
        state === 'read' || state === 'not_asked' ? [] : [{ part: name, state, reason, wasRead: was_read, severity }],
      ),
      ...ofPlaces,
      // Of a list of namespaces, those that are not in it now.
      ...were_read.flatMap((place): ScanGap[] =>
        named.has(place) ? [] : [{ part: '*', place, state: 'left_out', reason: '', wasRead: true }],
      ),
    ]
  })
}

/**
 * The gaps that can hide what a rule asks for. A rule about changes expects all that an earlier run read. Another rule counts
 * what failed or was forbidden from the first day, and what was left out if an earlier run read it: else that is scope.
 */
export function findGaps(rule: GateRule, scope: GapScope, court: Court): Gap[] {
  if (scope === 'none') return []
  const { run } = court
  // If vulnerabilities were scanned, what was not read may hide some.
  if (scope === 'vulnerabilities' && run.vulnerability_scan !== true) return []
  // Not even all of them failed would make the score too low.
  if (rule.kind === 'score' && run.score_floor != null && run.score_floor >= rule.limit) return []
  const least = 'severity' in rule ? rule.severity : undefined
  const gaps = listScanGaps(court).filter(({ part, place, state, wasRead, severity }) => {
    if (scope === 'artifacts') return place !== undefined && (state !== 'left_out' || wasRead)
    if (scope === 'aks' && place === undefined && part !== '*' && !/^AKS/i.test(part)) return false
    const isWithout =
      severity !== undefined && severity !== 'unknown' && least !== undefined && !isAsSevere(severity, least)
    if (isWithout) return false
    return wasRead || (scope !== 'changes' && state !== 'left_out')
  })
  return [...gaps, ...(scope === 'changes' ? missingReports(rule, court) : [])].map(
    ({ part, place, state, reason }): Gap => ({ part, state, reason, ...(place !== undefined && { place }) }),
  )
}

/** Workloads of an operator that had a report and have none now. */
function missingReports({ text }: GateRule, { changes }: Court): Gap[] {
  const groups = changes?.get(text)?.comparison?.incomparable_findings ?? []
  return groups.flatMap(({ reason, check_id, count }): Gap[] =>
    reason === 'report_missing' && count > 0
      ? [{ part: check_id, state: 'failed', reason: { code: 'report_missing' } }]
      : [],
  )
}
