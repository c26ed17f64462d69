export interface FailedList {
  /** Plural name of the resource, or the kind. */
  name: string
  reason: string
}

/**
 * Joins what failed for the same reason: nine kinds of a cluster that is out of reach are one sentence. A refusal names the resource,
 * in whose place an asterisk stands when there are several.
 */
export function equalReasons(failures: FailedList[]): { names: string[]; reason: string }[] {
  const general = ({ name, reason }: FailedList) => reason.replaceAll(name, '*')
  return [...Map.groupBy(failures, general)].map(([reason, alike]) => ({
    names: alike.map(({ name }) => name),
    reason: alike.length === 1 ? alike[0]!.reason : reason,
  }))
}
