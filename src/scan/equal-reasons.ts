export interface FailedList {
  /** Plural name of the resource, or its kind. */
  name: string
  reason: string
}

/**
 * Merges failures with equal reasons, so that an unreachable cluster gives one sentence for nine kinds. If there are
 * several, an asterisk replaces the resource in a denial.
 */
export function equalReasons(failures: FailedList[]) {
  const general = ({ name, reason }: FailedList) => reason.replaceAll(name, '*')
  return [...Map.groupBy(failures, general)].map(([reason, alike]) => ({
    names: alike.map(({ name }) => name),
    reason: alike.length === 1 ? alike[0]!.reason : reason,
  }))
}
