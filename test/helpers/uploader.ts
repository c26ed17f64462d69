/**
 * Uploads distinct reports and prints each answered run id: `node uploader.ts <first number> <count>`.
 * The store is the one of the environment.
 */
import { writeSync } from 'node:fs'
import { createLocalClient } from '../../src/client/local.ts'
import { distinctReport } from './distinct-report.ts'

async function uploadAll(first = 0, count = 1): Promise<void> {
  const client = await createLocalClient({ env: process.env, now: () => Math.floor(Date.now() / 1000) })
  for (let number = first; number < first + count; number++) {
    const report = Buffer.from(JSON.stringify(distinctReport(number)))
    const { run_id } = await client.call('uploadReport', { body: {}, report })
    writeSync(1, `${run_id}\n`)
  }
  await client.close()
}

void uploadAll(...process.argv.slice(2).map(Number))
