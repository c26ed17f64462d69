/**
 * Uploads small reports until it is killed, and prints how long each took, in milliseconds:
 * `node timed-writer.ts SEED PAUSE_MS`.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createLocalClient } from '../../src/client/local.ts'
import { smallReport } from './small-report.ts'

const [seed = '0', pauseMs = '0'] = process.argv.slice(2)
const now = Math.floor(Date.now() / 1000)
const client = await createLocalClient({ env: process.env, now: () => now })
for (let number = 0; ; number++) {
  const report = smallReport(`${seed}-${number}`)
  const began = performance.now()
  await client.call('uploadReport', { body: { cluster: { name: `cluster-${seed}` } }, report })
  process.stdout.write(`${(performance.now() - began).toFixed(2)}\n`)
  await sleep(Number(pauseMs))
}
