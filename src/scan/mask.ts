import type { Env } from './environment.ts'

const secretName = /(SECRET|TOKEN|PASS(WORD|WD|PHRASE)?|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|MASTER_KEY)/i
/** What is shorter would hide half of every line. */
const shortest = 6

/** Hides in a line the values of variables that hold credentials: those named, and those whose names tell. */
export function createMask(env: Env, names: string[]): (line: string) => string {
  const secrets = Object.entries(env)
    .filter(([name]) => names.includes(name) || secretName.test(name))
    .flatMap(([, value]) => value?.split(/\r?\n/) ?? [])
    .map((value) => value.trim())
    .filter((value) => value.length >= shortest)
    // A secret that is part of another goes last.
    .sort((a, b) => b.length - a.length)
  return (line) => secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), line)
}
