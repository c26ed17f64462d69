import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createLocalClient } from '../../src/client/local.ts'
import { smallReport } from './small-report.ts'

/** Makes a store of 1 GB in 100,000 pieces, and returns its file. Only few of the pieces open. */
export async function makeLargeStore(home: string): Promise<string> {
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => 1_790_000_000 })
  await client.call('uploadReport', { body: {}, report: smallReport('first') })
  await client.close()
  const file = join(home, 'relt.db')
  const db = new DatabaseSync(file)
  db.exec(`pragma synchronous = off;
    with recursive n(i) as (select 1000 union all select i + 1 from n where i < 101000)
    insert into run_part (run_id, kind, part, key_id, sealed)
    select run_id, 'details', i, key_id, randomblob(10000) from n, (select * from run_part where kind = 'context')`)
  db.exec('pragma wal_checkpoint(truncate)')
  db.close()
  if (statSync(file).size < 1e9) throw new Error('The store is smaller than 1 GB.')
  return file
}
