import type { ChangedFinding } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import type { FindingIndex } from './finding-index.ts'
import { checkAt, countAt, sizeAt } from './finding-records.ts'
import { readFindings } from './read-findings.ts'
import type { RunFindings } from './run-findings.ts'
import { kindOfResource } from './stable-name.ts'
import { isOfState } from './state-check.ts'
import type { MovedRows } from './walk-records.ts'

/** Offsets of the record of a finding in the earlier and in the later run. */
export type FigurePair = [before: number, after: number]

/** Takes the findings out that both runs have with another count: their figure moved. */
export function takeFigures(walked: { came: MovedRows[]; gone: MovedRows[] }): {
  came: MovedRows[]
  gone: MovedRows[]
  figures: FigurePair[]
} {
  const figures: FigurePair[] = [
    ...walked.came.flatMap(({ at, other }): FigurePair[] => (other === undefined ? [] : [[other, at]])),
    ...walked.gone.flatMap(({ at, other }): FigurePair[] => (other === undefined ? [] : [[at, other]])),
  ]
  const isWhole = ({ other }: MovedRows) => other === undefined
  return { came: walked.came.filter(isWhole), gone: walked.gone.filter(isWhole), figures }
}

/** Known findings with another count. `grown` are those that growth does not explain. */
export async function compareFigures(
  from: RunFindings,
  to: RunFindings,
  pairs: FigurePair[],
): Promise<{ changed: ChangedFinding[]; grown: ChangedFinding[] }> {
  const [before, after] = await Promise.all([
    readFindings(
      from,
      pairs.map(([at]) => at),
    ),
    readFindings(
      to,
      pairs.map(([, at]) => at),
    ),
  ])
  const result: { changed: ChangedFinding[]; grown: ChangedFinding[] } = { changed: [], grown: [] }
  for (const [i, pair] of pairs.entries()) {
    const finding = { ...after[i]!, from: stateOf(before[i]!), to: stateOf(after[i]!) }
    const list = isGrowth(from.index, to.index, pair, after[i]!) ? result.changed : result.grown
    list.push(finding)
  }
  return result
}

const stateOf = ({ message, value, count }: Finding) => ({ message, value, count })

type Index = Pick<FindingIndex, 'records' | 'checks'>

/**
 * Whether a count fell, or rose no more than the template itself. More machines that are not well are never mere growth, and where
 * a size is not known, nothing is explained by it.
 */
function isGrowth(from: Index, to: Index, [a, b]: FigurePair, { resource }: Finding): boolean {
  const [was, is] = [countAt(from.records, a), countAt(to.records, b)]
  if (is <= was) return true
  const check = to.checks[checkAt(to.records, b)]!.id
  if (resource !== null && kindOfResource(resource) === 'node' && isOfState(check)) return false
  const [sizeBefore, sizeAfter] = [sizeAt(from.records, a), sizeAt(to.records, b)]
  if (sizeBefore === 0 || sizeAfter === 0) return false
  return is <= Math.round((was * sizeAfter) / sizeBefore)
}
