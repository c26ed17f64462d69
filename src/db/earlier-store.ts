import { existsSync } from 'node:fs'
import { ReltError } from '../errors.ts'
import { applicationId, readUntouched } from './application-id.ts'
import { firstBytesInWal } from './wal.ts'

/** The last commit that can read stores, backups and databases without an application id. */
const lastReader = 'c50218611c4e'

/** Error for a store from before 0.1.0. `what` is a file or database; `hasId`: it has an application id, of other tables. */
export function earlierStore(what: string, { hasId }: { hasId: boolean }): ReltError {
  const reader = hasId ? 'the relt that wrote it' : `the relt of commit ${lastReader}`
  return new ReltError('store_unusable', `${what} was written by a relt before 0.1.0, and was left as it is.`, {
    hint: `Serve it with ${reader}, and copy its reports with \`relt reports copy\` of this one.`,
  })
}

/** Throws `store_unusable` for a SQLite file that relt wrote before 0.1.0, or that another program wrote. Read-only. */
export function refuseOtherFile(file: string): void {
  const found = existsSync(file) && readHeader(file)
  if (!found || found.id === applicationId) return
  if (found.isRelt) throw earlierStore(file, { hasId: found.id !== 0 })
  if (found.version !== 0 || found.hasTables) {
    throw new ReltError('store_unusable', `${file} is a database of another program.`, {
      hint: 'Set RELT_HOME or --data to another folder.',
    })
  }
}

interface Header {
  /** Application id. */
  id: number
  version: number
  hasTables: boolean
  isRelt: boolean
}

/** Undefined for an empty or damaged file. */
function readHeader(file: string): Header | undefined {
  const main = readMainFile(file)
  // A file that was never checkpointed has all tables in its `-wal`.
  return main?.hasTables ? main : (readWal(`${file}-wal`) ?? main)
}

function readMainFile(file: string): Header | undefined {
  const header = `select application_id as id, user_version as version,
      exists (select 1 from sqlite_schema) as hasTables,
      (select count(*) from sqlite_schema where name in ('meta', 'project', 'run')) = 3 as isRelt
    from pragma_application_id, pragma_user_version`
  try {
    const row = readUntouched(file, (sqlite) => sqlite.prepare(header).get()) as Record<keyof Header, number>
    return { ...row, hasTables: row.hasTables === 1, isRelt: row.isRelt === 1 }
  } catch {
    return undefined
  }
}

/** Offsets in the database header: https://www.sqlite.org/fileformat2.html#the_database_header */
const places = { version: 60, id: 68 }

function readWal(file: string): Header | undefined {
  const bytes = firstBytesInWal(file, 100)
  if (!bytes) return undefined
  const version = bytes.readUInt32BE(places.version)
  return { id: bytes.readUInt32BE(places.id), version, hasTables: true, isRelt: version > 0 }
}
