/** Tests replace this module. */

/** Before the first retry; each further pause is twice as long. */
export const firstPauseMs = 250
/** A longer `Retry-After` is reported as an error instead of waiting. */
export const longestPauseMs = 20_000
