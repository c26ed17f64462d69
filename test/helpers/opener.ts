/**
 * Opens a store and adds a user with its process id as login: `node opener.ts <file> [<file that a new store begins as>]`.
 * The process that settles the new store adds the user `settled`.
 */
import { readFileSync } from 'node:fs'
import { type Db, openDatabase } from '../../src/db/open.ts'

const [file = '', newStoreFile] = process.argv.slice(2)

async function add(db: Db, login: string): Promise<void> {
  await db.insertInto('user').values({ login, email: null, role: 'user', plan: 'free', created_at: 0 }).execute()
}

async function open(): Promise<Db> {
  if (newStoreFile === undefined) return openDatabase(file)
  const read = async () => readFileSync(newStoreFile)
  return openDatabase(file, { newStore: { read, settle: (db) => add(db, 'settled') } })
}

async function main(): Promise<void> {
  const db = await open()
  await add(db, String(process.pid))
  await db.destroy()
}

// Bundled as CommonJS, which cannot await at its top level. A failure ends the process with 1.
void main()
