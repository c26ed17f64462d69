import type { ScanEnv } from './environment.ts'

const secretName = /(SECRET|TOKEN|PASS(WORD|WD|PHRASE)?|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|MASTER_KEY)/i
/** Shorter values are not masked, because they would match half of every line. */
const shortest = 6

const names =
  'token|secret|passw(?:or)?d|passphrase|pwd|api[_-]?key|access[_-]?key|private[_-]?key|credential|signature'
/** `token=…`, `"api_key": "…"`, `password: x1…`. After a colon, a value must have quotes or digits, unlike prose. */
const assigned = new RegExp(
  `((?:${names})s?["']?\\s{0,9}(?:=\\s{0,9}|:\\s{0,9}(?=["']|\\S{0,200}\\d))["']?)(?!\\*\\*\\*)[^\\s"'&,;)\\]}]{3,}`,
  'gi',
)
/** `--token …`. */
const option = new RegExp(`(--[\\w-]{0,40}(?:${names})\\s{1,9})(?!\\*\\*\\*)[^\\s"'-][^\\s"']{2,}`, 'gi')
const authorization = /\b((?:bearer|basic)\s+)(?!\*\*\*)[\w+/=.~-]{8,}/gi
/** `https://user:secret@host`. */
const userinfo = /\b([a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/@"']{1,500}@/gi

/**
 * Masks credentials in a line of another program: values of variables with given or secret-looking names, and values that
 * the line labels as secret.
 */
export function createMask(env: ScanEnv, names: string[]): (line: string) => string {
  const secrets = Object.entries(env)
    .filter(([name]) => names.includes(name) || secretName.test(name))
    .flatMap(([, value]) => value?.split(/\r?\n/) ?? [])
    .map((value) => value.trim())
    .filter((value) => value.length >= shortest)
    // A secret that is part of another is replaced last.
    .sort((a, b) => b.length - a.length)
  return (line) =>
    secrets
      .reduce((masked, secret) => masked.replaceAll(secret, '***'), line)
      .replace(userinfo, '$1***@')
      .replace(authorization, '$1***')
      .replace(assigned, '$1***')
      .replace(option, '$1***')
}
