import { findingSeverities } from '../../../src/contract/choices.ts'
import { isEmpty } from '../../../src/reports/refuse-empty-report.ts'
import type { Scan } from '../../../src/reports/scan.ts'
import type { Fault, FaultDepth } from './faults.ts'
import { faultsOfFixture, type fixturesWithFaults } from './faults-of-fixtures.ts'
import { fixture, read, readOrRefuse } from './fixture.ts'

/** How many findings a rule of each severity could count: unknown ones may be of any. */
function countable({ findings }: Scan): number[] {
  let sum = findings.unknown
  return findingSeverities.map((severity) => {
    sum += severity === 'unknown' ? 0 : findings[severity]
    return sum
  })
}

/** A fault must not make a report look better: it is refused, or something did not run, or nothing counts less. */
async function isGreener(good: Scan, { report }: Fault): Promise<boolean> {
  const scan = await readOrRefuse(report)
  if (!scan || isEmpty(scan)) return false
  const known = new Set(good.checksNotRun.map(({ id, reason }) => `${id} ${reason}`))
  if (scan.checksNotRun.some(({ id, reason }) => !known.has(`${id} ${reason}`))) return false
  const before = countable(good)
  return countable(scan).some((count, i) => count < before[i]!)
}

/** The faults with which a fixture looks better than without. */
export async function greenerFaults(name: (typeof fixturesWithFaults)[number], depth: FaultDepth): Promise<string[]> {
  const good = await read(fixture(name))
  const greener = new Set<string>()
  for (const fault of faultsOfFixture(name, depth)) {
    if (await isGreener(good, fault)) greener.add(`${fault.path} ${fault.what}`)
  }
  return [...greener]
}
