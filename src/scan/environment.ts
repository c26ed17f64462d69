export type ScanEnv = Record<string, string | undefined>

/** Environment for other programs, without the store's key. */
export function withoutOurs(env: ScanEnv) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('RELT_')))
}
