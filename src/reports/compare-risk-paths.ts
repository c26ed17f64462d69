import type { RiskPath, RiskPathChanges } from '../contract/risk-path.ts'
import type { RunFindings } from './run-findings.ts'
import { whyNotShown } from './why-not-shown.ts'

/** The risk paths of a run, with its scope. */
export interface RunRiskPaths extends Pick<RunFindings, 'format' | 'scope' | 'checksNotRun'> {
  /** Null if the report does not list risk paths. */
  paths: RiskPath[] | null
}

/** Null when neither report lists risk paths. */
export function compareRiskPaths(from: RunRiskPaths, to: RunRiskPaths): RiskPathChanges | null {
  if (from.paths === null && to.paths === null) return null
  const result: RiskPathChanges = { opened: [], closed: [], incomparable: [] }
  const [before, now] = [openOf(from), openOf(to)]
  const all = [...(from.paths ?? []), ...(to.paths ?? [])]
  for (const path of now.values()) {
    if (!before.has(toKey(path))) place(path, result.opened, doubtFor(path, all, to, from, 'earlier'))
  }
  for (const path of before.values()) {
    if (!now.has(toKey(path))) place(path, result.closed, doubtFor(path, all, from, to, 'later'))
  }
  return result

  function place(path: RiskPath, list: RiskPath[], doubt: string | undefined): void {
    if (doubt === undefined) list.push(path)
    else result.incomparable.push({ id: path.id, kind: path.kind, name: path.name, reason: doubt })
  }
}

const toKey = ({ kind, id }: RiskPath): string => `${kind} ${id}`

const openOf = ({ paths }: RunRiskPaths): Map<string, RiskPath> =>
  new Map((paths ?? []).filter(({ is_open }) => is_open).map((path) => [toKey(path), path]))

/** Why the other run could not have shown a path that is open in `run`; undefined if it could. */
function doubtFor(
  path: RiskPath,
  all: RiskPath[],
  run: RunRiskPaths,
  other: RunRiskPaths,
  which: 'earlier' | 'later',
): string | undefined {
  if (run.format !== other.format) return `The ${which} report is from another scanner`
  if (other.paths === null) return `The ${which} report does not list risk paths`
  return whyNotShown(toSignals(path, all), run, other, which)
}

/** A combined path rests on the checks of the direct paths that it needs. */
function toSignals(path: RiskPath, all: RiskPath[]): Set<string> {
  const needed = new Set(path.requires)
  const parts = all.filter(({ kind, id }) => kind === 'direct' && needed.has(id))
  return new Set([path, ...parts].flatMap(({ signal_checks }) => signal_checks))
}
