/** How long work takes before a terminal shows that it goes on. Tests replace this module: none depends on how fast it is. */
export const progressPatienceMs = 800
