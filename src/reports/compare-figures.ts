import type { ChangedFinding } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import type { FindingIndex } from './finding-index.ts'
import { checkAt, countAt, sizeAt } from './finding-records.ts'
import type { NodeMoves } from './place-moves.ts'
import { placeOfKey } from './place-sets.ts'
import { readFindings } from './read-findings.ts'
import type { RunFindings } from './run-findings.ts'
import { isOfState } from './state-check.ts'
import type { MovedRows } from './walk-records.ts'

/** Offsets of a finding's record in the earlier and in the later run. */
export type FigurePair = [before: number, after: number, nodes: NodeMoves | undefined]

/** Removes and returns findings that are in both runs with different counts. */
export function takeFigures(walked: { came: MovedRows[]; gone: MovedRows[] }): {
  came: MovedRows[]
  gone: MovedRows[]
  figures: FigurePair[]
} {
  const figures: FigurePair[] = [
    ...walked.came.flatMap(({ at, other, nodes }): FigurePair[] => (other === undefined ? [] : [[other, at, nodes]])),
    ...walked.gone.flatMap(({ at, other, nodes }): FigurePair[] => (other === undefined ? [] : [[at, other, nodes]])),
  ]
  const isWhole = ({ other }: MovedRows) => other === undefined
  return { came: walked.came.filter(isWhole), gone: walked.gone.filter(isWhole), figures }
}

/** Findings in both runs with different counts. `grown`: the increase is more than the growth of the workload explains. */
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
    const sizes = [sizeAt(from.index.records, pair[0]), sizeAt(to.index.records, pair[1])] as const
    const moved = { ...after[i]!, from: toState(before[i]!, sizes[0]), to: toState(after[i]!, sizes[1]) }
    const failing = failingNode(to.index, pair)
    if (failing !== undefined) result.grown.push({ ...moved, resource: failing })
    else if (isGrowth(from.index, to.index, pair)) result.changed.push(moved)
    else result.grown.push(moved)
  }
  return result
}

const toState = ({ message, value, count }: Finding, of: number) => ({
  message,
  value,
  count,
  // Rows may have no template, and some names are known too late.
  ...(of >= (count ?? 1) && { of }),
})

type Index = Pick<FindingIndex, 'records' | 'checks' | 'places'>

/**
 * Whether a node fails that was healthy before. A node that joined the cluster counts for checks of state, unless a node
 * left with the same finding: checks of configuration scale with the number of nodes.
 */
function failingNode({ records, checks, places }: Index, [, at, nodes]: FigurePair): string | undefined {
  if (!nodes) return undefined
  const [first] = isOfState(checks[checkAt(records, at)]!.id) ? [...nodes.known, ...nodes.joined] : nodes.known
  return first === undefined ? undefined : placeOfKey(places!.places[first]!).resource
}

/** Whether a count fell, or rose no more than the template's number of objects. An unknown size explains nothing. */
function isGrowth(from: Index, to: Index, [a, b, nodes]: FigurePair): boolean {
  const [was, is] = [countAt(from.records, a), countAt(to.records, b)]
  if (is <= was || (nodes && isOfState(to.checks[checkAt(to.records, b)]!.id))) return true
  const [sizeBefore, sizeAfter] = [sizeAt(from.records, a), sizeAt(to.records, b)]
  if (sizeBefore === 0 || sizeAfter === 0) return false
  return is <= Math.round((was * sizeAfter) / sizeBefore)
}
