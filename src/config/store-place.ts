import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { dataFolder, type Env } from './env.ts'

/** Whether the place of a store is the address of a database and not a folder. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(?:ql)?:\/\//i.test(text)
}

/**
 * The environment and the data folder of a store that `--data` names: a folder with its SQLite file, or a database, each in
 * place of `RELT_DATABASE_URL`. Beside a database, `RELT_HOME` has the master key and the spool. Throws `usage`.
 */
export function placeOfStore(env: Env, data: string | undefined): { env: Env; folder: string } {
  if (!data) return { env, folder: dataFolder(env) }
  if (!isDatabaseUrl(data)) return { env: { ...env, RELT_DATABASE_URL: undefined }, folder: data }
  if (URL.parse(data)?.password) {
    throw new ReltError('usage', 'A password in --data is visible to everybody on this machine.', {
      hint: 'Put the address into RELT_DATABASE_URL, or the password into RELT_DATABASE_PASSWORD_FILE or PGPASSFILE.',
    })
  }
  return { env: { ...env, RELT_DATABASE_URL: data }, folder: dataFolder(env) }
}

/** Throws `usage` for what needs the file of a SQLite store. `what` is the command or the setting. */
export function requireStoreFile(env: Env, what: string): void {
  if (!env.RELT_DATABASE_URL) return
  throw new ReltError('usage', `${what} is not for PostgreSQL.`, {
    hint: 'Use pg_dump and pg_restore, and keep a copy of the master key.',
  })
}

/** For commands that only work on an existing store. Throws `usage` if `--data` names a folder without one. */
export function requireStoreAt(given: Env, data: string | undefined): void {
  const { env, folder } = placeOfStore(given, data)
  if (!data || env.RELT_DATABASE_URL || existsSync(join(folder, 'relt.db'))) return
  throw new ReltError('usage', `${folder} has no store: there is no relt.db in it.`, {
    hint: 'Check the folder of --data.',
  })
}
