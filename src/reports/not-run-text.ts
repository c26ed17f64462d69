const maxReasonLength = 500

/** A text on one line, truncated; undefined for an empty text and for other types. */
export function sentence(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  return (
    value
      .slice(0, 4 * maxReasonLength)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, maxReasonLength) || undefined
  )
}

/** Whether a scanner's message says that a check could not run. */
export const saysNotRun = (text: string): boolean =>
  /skipp|insufficient|unable|unavailable|not run|no data|error|forbidden|denied|fail|could not|cannot|timed? ?out/i.test(
    text,
  )

/** Whether the API server refused what a check needs. */
export const saysForbidden = (text: string): boolean => /\bforbidden\b|\bunauthorized\b/i.test(text)

/** Reason for a check in an unknown form, which neither passed nor failed. */
export const notUnderstood = (what: string): string => `not understood: ${what}`

/** A value of a report for such a reason: short, on one line. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : typeof value === 'object' ? 'an object or a list' : String(value)
  return typeof value === 'object' ? text : JSON.stringify(sentence(text)?.slice(0, 60) ?? '')
}
