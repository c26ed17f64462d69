/** Pause before the first retry; each further pause is twice as long. Tests replace this module. */
export const firstPauseMs = 250
