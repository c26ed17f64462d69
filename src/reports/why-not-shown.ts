import type { RunFindings } from './run-findings.ts'

/** What a run covered. */
export type Looked = Pick<RunFindings, 'scope' | 'checksNotRun'>

/** Why the other run could not have shown results of these checks; undefined if it could. */
export function whyNotShown(
  checks: ReadonlySet<string>,
  run: Looked,
  other: Looked,
  which: 'earlier' | 'later',
): string | undefined {
  const notRun = other.checksNotRun.find(({ id }) => checks.has(id))
  if (notRun) return `${notRun.id} did not run in the ${which} scan: ${notRun.reason}`
  const { checkIds } = other.scope
  const missing = checkIds && [...checks].find((id) => !checkIds.includes(id))
  if (missing && run.scope.checkIds?.includes(missing)) return `The ${which} scan does not contain ${missing}`
  const own = new Set(run.scope.excludedNamespaces)
  const excluded = other.scope.excludedNamespaces.filter((namespace) => !own.has(namespace))
  return excluded.length > 0 ? `The ${which} scan leaves out namespaces: ${excluded.slice(0, 3).join(', ')}` : undefined
}
