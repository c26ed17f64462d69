/** Delay before a terminal shows progress. Tests replace this module, so that none depends on speed. */
export const progressPatienceMs = 800
