export type Env = Record<string, string | undefined>

/** What other programs get: they have no use for the key of the store. */
export function withoutOurs(env: Env): Env {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('RELT_')))
}
