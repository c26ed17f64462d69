import type { ScanEnv } from './environment.ts'

const secretName = /(SECRET|TOKEN|PASS(WORD|WD|PHRASE)?|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|MASTER_KEY)/i
/** Shorter values would mask half of every line. */
const shortest = 6

/** Masks the values of credential variables in a line: named ones, and those recognised by name. */
export function createMask(env: ScanEnv, names: string[]): (line: string) => string {
  const secrets = Object.entries(env)
    .filter(([name]) => names.includes(name) || secretName.test(name))
    .flatMap(([, value]) => value?.split(/\r?\n/) ?? [])
    .map((value) => value.trim())
    .filter((value) => value.length >= shortest)
    // A secret that is part of another goes last.
    .sort((a, b) => b.length - a.length)
  return (line) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), line)
}
