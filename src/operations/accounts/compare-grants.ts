import { existsSync } from 'node:fs'
import { openFile } from '../../db/open-file.ts'
import { ReltError } from '../../errors.ts'
import { listGrants } from '../../store/accounts/grant.ts'

export interface Grants {
  /** Logins of the admins. */
  administrators: string[]
  /** Rows that grant access, by description. */
  rows: Map<string, string>
}

export interface GrantDifferences {
  added: string[]
  removed: string[]
  changed: string[]
}

/**
 * Reads accounts, credentials and teams from a store's file, unchanged. Throws `usage` if the file is missing, and
 * `store_unusable`.
 */
export async function readGrants(file: string): Promise<Grants> {
  if (!existsSync(file)) throw new ReltError('usage', `${file} cannot be read: no such file.`)
  const db = openFile(file, { readOnly: true })
  try {
    const rows = await listGrants(db)
    const administrators = rows.flatMap(({ kind, of, value }) => (kind === 'role' && value === 'admin' ? [of] : []))
    return { administrators, rows: new Map(rows.map(({ kind, of, value }) => [`${kind} of ${of}`, value])) }
  } catch (cause) {
    throw new ReltError('store_unusable', `The accounts in ${file} cannot be read.`, { cause })
  } finally {
    await db.destroy()
  }
}

export function compareGrants(before: Grants, after: Grants): GrantDifferences {
  const only = (one: Grants, other: Grants) => [...one.rows.keys()].filter((what) => !other.rows.has(what))
  const changed = [...after.rows].filter(([what, value]) => before.rows.has(what) && before.rows.get(what) !== value)
  return { added: only(after, before), removed: only(before, after), changed: changed.map(([what]) => what) }
}
