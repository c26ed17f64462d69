import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'
import { isDatabaseUrl } from './store-place.ts'

/** Address and credentials of a PostgreSQL database. */
export interface DatabaseAddress {
  host: string
  port: number
  user: string
  database: string
  /** Undefined: `pg` uses PGPASSWORD or the file PGPASSFILE. */
  password: string | undefined
  /** False disables TLS. With TLS, the certificate is always verified. */
  tls: false | { ca: string | undefined; servername: string | undefined }
}

const modes = ['disable', 'require', 'verify-ca', 'verify-full']

/**
 * The database in `RELT_DATABASE_URL`; undefined: the store is a SQLite file. Errors do not repeat the URL, which may
 * contain a password. Throws `usage`.
 */
export function readDatabaseAddress(env: Env): DatabaseAddress | undefined {
  const text = env.RELT_DATABASE_URL
  if (!text) return undefined
  const url = isDatabaseUrl(text) ? URL.parse(text) : null
  if (!url) throw invalid('is not the address of a PostgreSQL database')
  const known = new Set(['sslmode', 'sslrootcert', 'host', 'application_name'])
  const unknown = [...url.searchParams.keys()].find((name) => !known.has(name))
  if (unknown !== undefined) throw invalid(`has the unknown parameter ${unknown}`)
  const host = url.searchParams.get('host') ?? (url.hostname.replace(/^\[|\]$/g, '') || env.PGHOST || 'localhost')
  const user = decode(url.username) || env.PGUSER
  if (!user) throw invalid('names no user')
  const database = decode(url.pathname.slice(1)) || env.PGDATABASE || user
  return {
    host,
    port: Number(url.port || env.PGPORT || 5432),
    user,
    database,
    password: decode(url.password) || readPassword(env) || env.PGPASSWORD || undefined,
    tls: readTls(url, host, env),
  }
}

/** The URL without the password. */
export function nameOfDatabase({ user, host, port, database }: DatabaseAddress) {
  const [login, name] = [user, database].map(encodeURIComponent)
  return `postgres://${login}@${host.includes(':') ? `[${host}]` : host}:${port}/${name}`
}

/** To other machines, the connection is encrypted and the server's certificate verified, unless `sslmode=disable` is set. */
function readTls(url: URL, host: string, env: Env) {
  const mode = url.searchParams.get('sslmode') ?? env.PGSSLMODE ?? (isLocal(host) ? 'disable' : 'verify-full')
  if (!modes.includes(mode)) {
    throw invalid(`has an sslmode that is not supported: use ${modes.slice(0, -1).join(', ')} or ${modes.at(-1)}`)
  }
  if (mode === 'disable') return false
  const file = url.searchParams.get('sslrootcert') ?? env.PGSSLROOTCERT
  return {
    ca: file === undefined || file === 'system' ? undefined : read(file, 'The certificate of sslrootcert'),
    servername: isIP(host) ? undefined : host,
  }
}

function readPassword(env: Env) {
  const file = env.RELT_DATABASE_PASSWORD_FILE
  return file ? read(file, 'The file of RELT_DATABASE_PASSWORD_FILE').replace(/\r?\n$/, '') : undefined
}

function read(file: string, what: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new ReltError('usage', `${what} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`, { cause })
  }
}

function isLocal(host: string) {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalid('has a % that begins no escape')
  }
}

function invalid(what: string) {
  return new ReltError('usage', `RELT_DATABASE_URL ${what}.`, {
    hint: 'Write it as postgres://user@host:5432/database. The password can come from RELT_DATABASE_PASSWORD_FILE or PGPASSFILE.',
  })
}
