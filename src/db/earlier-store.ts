import { existsSync } from 'node:fs'
import { ReltError } from '../errors.ts'
import { applicationId, readUntouched } from './application-id.ts'

/** Error for a file or database of another program, or of a relt with other tables. */
export const otherStore = (what: string) =>
  new ReltError('store_unusable', `${what} was not written by this relt, and was left as it is.`, {
    hint: 'Name another store. To take over the reports of an earlier relt, serve them with it, and run `relt reports copy`.',
  })

/** Throws `store_unusable` for a SQLite file of another program, or of a relt before 0.1.0. Does not change the file. */
export function refuseOtherFile(file: string) {
  const found = existsSync(file) && readHeader(file)
  if (found && found.id !== applicationId && (found.version !== 0 || found.hasTables === 1)) throw otherStore(file)
}

interface Header {
  /** Application id. */
  id: number
  version: number
  hasTables: number
}

/** Undefined for an empty or damaged file. */
function readHeader(file: string) {
  const header = `select application_id as id, user_version as version,
      exists (select 1 from sqlite_schema) as hasTables from pragma_application_id, pragma_user_version`
  try {
    return readUntouched(file, (sqlite) => sqlite.prepare(header).get()) as Header | undefined
  } catch {
    return undefined
  }
}
