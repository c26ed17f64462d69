import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { dataFolder, type Env } from './env.ts'

/** Whether the location of a store is a database URL rather than a folder. */
export function isDatabaseUrl(text: string) {
  return /^postgres(?:ql)?:\/\//i.test(text)
}

/**
 * The environment and data folder for `--data`: a folder with a SQLite file, or a database; both override
 * `RELT_DATABASE_URL`. With a database, `RELT_HOME` contains the master key and the spool. Throws `usage`.
 */
export function placeOfStore(env: Env, data: string | undefined) {
  if (!data) return { env, folder: dataFolder(env) }
  if (!isDatabaseUrl(data)) return { env: { ...env, RELT_DATABASE_URL: undefined }, folder: data }
  if (URL.parse(data)?.password) {
    throw new ReltError('usage', 'A password in --data is visible to everybody on this machine.', {
      hint: 'Put the address into RELT_DATABASE_URL, or the password into RELT_DATABASE_PASSWORD_FILE or PGPASSFILE.',
    })
  }
  return { env: { ...env, RELT_DATABASE_URL: data }, folder: dataFolder(env) }
}

/** Throws `usage` unless the store is a SQLite file. `what` is the command or setting that needs it. */
export function requireStoreFile(env: Env, what: string) {
  if (!env.RELT_DATABASE_URL) return
  throw new ReltError('usage', `${what} is not for PostgreSQL.`, {
    hint: 'Use pg_dump and pg_restore, and keep a copy of the master key.',
  })
}

/** For commands that only work on an existing store. Throws `usage` if `--data` names a folder without one. */
export function requireStoreAt(given: Env, data: string | undefined) {
  const { env, folder } = placeOfStore(given, data)
  if (!data || env.RELT_DATABASE_URL || existsSync(join(folder, 'relt.db'))) return
  throw new ReltError('usage', `${folder} has no store: there is no relt.db in it.`, {
    hint: 'Check the folder of --data.',
  })
}
