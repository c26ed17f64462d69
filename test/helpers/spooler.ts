/**
 * Keeps distinct uploads in the spool of the environment's data folder, and prints the name of each when it is kept:
 * `node spooler.ts <address of the server> <first number> <count>`.
 */
import { writeSync } from 'node:fs'
import { Spool } from '../../src/spool/spool.ts'
import { distinctReport } from './distinct-report.ts'

const [url = '', first = '0', count = '1'] = process.argv.slice(2)
const spool = new Spool(process.env, (text) => writeSync(2, `${text}\n`))
for (let number = Number(first); number < Number(first) + Number(count); number++) {
  const cluster = `shop-${number}`
  spool.put(
    {
      server: { name: null, url, user: 'ada' },
      cluster,
      environment: 'prod',
      idempotencyKey: `key-${number}`,
      body: { cluster: { name: cluster }, run: { finished_at: '2026-08-31 12:00:00' } },
      report: Buffer.from(JSON.stringify(distinctReport(number))),
    },
    0,
  )
  writeSync(1, `${cluster}\n`)
}
