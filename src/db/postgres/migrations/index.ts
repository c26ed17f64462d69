interface Migration {
  /** SQL of one or more statements. */
  statements: string
}

/** In order; the number of the applied ones is stored. */
export const migrations: (() => Promise<Migration>)[] = [
  () => import('./0001-start.ts'),
  () => import('./0002-feed.ts'),
  () => import('./0003-cluster-mails.ts'),
]
