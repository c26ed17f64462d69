import { join } from 'node:path'
import { createLocalClient } from '../src/client/local.ts'
import { generateReport } from './generate-report.ts'
import { type Figure, inFolder, relt, runInTurn } from './measure.ts'

const findings = 1000
const daySeconds = 86_400

/** Compare and trends must not slow down as a cluster's history grows. */
export function history(): Promise<Figure[]> {
  return inFolder(async (folder) => {
    const short = join(folder, 'short')
    const long = join(folder, 'long')
    await fill(short, 10)
    await fill(long, 1000)
    const commands = [short, long].flatMap((home) => [
      { argv: relt('reports', 'compare', '--json'), env: { RELT_HOME: home } },
      { argv: relt('reports', 'trends', '--days', '365', '--json'), env: { RELT_HOME: home } },
    ])
    const [compareShort, trendsShort, compareLong, trendsLong] = runInTurn(commands, 11)
    const figure = (name: string, ours: number, base: number): Figure => ({ name, ours, base, unit: 'ms' })
    return [
      figure('compare, 1,000 runs / 10 runs', compareLong!, compareShort!),
      figure('trends of 365 days, 1,000 runs / 10 runs', trendsLong!, trendsShort!),
    ]
  })
}

/** Runs spread evenly over the last 360 days, each with a few findings of its own. */
async function fill(home: string, runs: number): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  const client = await createLocalClient({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => now })
  for (let run = 0; run < runs; run++) {
    const at = new Date((now - 360 * daySeconds * (1 - run / runs)) * 1000).toISOString()
    const report = generateReport({ findings, changed: 0.02 + run * 1e-5, generatedAt: at })
    await client.call('uploadReport', { body: {}, report: Buffer.from(JSON.stringify(report)) })
  }
  await client.close()
}
