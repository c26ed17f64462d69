import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundledCatalogDate, bundledCatalogTime } from '../../../catalog/date.ts'
import { placeOfStore } from '../../../config/store-place.ts'
import { daySeconds, formatTimestamp } from '../../../util/time.ts'
import { print } from '../../output/print.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { runCompare } from '../reports/compare.ts'
import { runFreshness } from '../reports/freshness.ts'
import { runTrends } from '../reports/trends.ts'
import { runUpload } from '../reports/upload.ts'

export default verb({
  examples: ['relt demo', 'relt demo --no-pause', 'relt demo --json'],
  options: {
    '--no-pause': 'do not wait for a key between the steps on a terminal',
  },
  /** Runs the real commands on a temporary store, which is removed when the process ends. */
  run: async (cli, { pause }) => {
    let folder = ''
    // A thread may still be writing to it.
    const remove = () => folder && rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 })
    const ending = signals.map(([signal, code]) => ({ signal, end: () => process.exit(code) }))
    process.once('exit', remove)
    // Handlers are installed before the folder is created: until then, a signal ends the process immediately.
    for (const { signal, end } of ending) process.on(signal, end)
    folder = mkdtempSync(join(tmpdir(), 'relt-demo-'))
    const given = placeOfStore(cli.context.env, folder).env
    const env = {
      ...given,
      RELT_HOME: folder,
      RELT_KEYCHAIN: 'off',
      RELT_MASTER_KEY: undefined,
      RELT_CLUSTER: undefined,
      RELT_CATALOG_MAX_AGE: undefined,
    }
    // Its scans and facts are of the day of the bundled catalog, however long ago that is.
    const now = () => bundledCatalogTime
    const { createLocalClient } = await import('../../../client/local.ts')
    const client = await createLocalClient({ env, now })
    const { io } = cli
    const inSteps = pause && cli.format === 'table' && io.isTerminal && io.isInteractive
    // The demo ignores the selected server and cluster.
    const own = { env, now, client: async () => client, server: async () => undefined, settings: async () => ({}) }
    const shown: Cli = { ...cli, call: client.call, context: { ...cli.context, ...own } }
    try {
      await showAll(shown, folder, inSteps)
    } finally {
      await client.close()
      remove()
      process.off('exit', remove)
      for (const { signal, end } of ending) process.off(signal, end)
    }
  },
})

/** Ages of the three example scans in days. */
const scans = [
  { file: 'shop-1.json', daysAgo: 28 },
  { file: 'shop-2.json', daysAgo: 13 },
  { file: 'shop-3.json', daysAgo: 1 },
]
const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const

async function showAll(cli: Cli, folder: string, inSteps: boolean) {
  const { io, context } = cli
  let isFirst = true
  const step = async (title: string, command: string) => {
    if (inSteps && !isFirst) await (await import('../../input/wait-for-key.ts')).waitForKey(io)
    isFirst = false
    if (cli.format === 'table') print(io, `\n${io.color.bold(title)}\n${io.color.dim(`$ relt ${command}`)}\n`)
  }
  // Suppresses messages: the demo shows answers only.
  const quiet = { ...cli, io: { ...io, err: () => {} } }
  if (cli.format === 'table') print(io, `\nAs of ${bundledCatalogDate}, the day of the bundled catalog.\n`)
  await step('Upload three scans of one cluster', 'reports upload shop-1.json (then 2 and 3)')
  for (const { file, daysAgo } of scans) {
    const finishedAt = formatTimestamp(context.now() - daysAgo * daySeconds)
    await runUpload(quiet, await findExample(file, folder), { finishedAt })
  }
  await step('What did the last scan change?', 'reports compare')
  await runCompare(cli, {})
  await step('Is it getting better?', 'reports trends')
  await runTrends(cli, {})
  await step('What runs here that is out of date?', 'reports freshness')
  await runFreshness(cli, undefined, {})
  if (cli.format === 'table') {
    print(io, `\nThe demo store is deleted. To start your own: ${io.color.bold('relt reports upload FILE')}\n`)
  }
}

/** Path of an example report: in the package or source tree, or unpacked into `folder` from the single executable. */
async function findExample(name: string, folder: string) {
  const sea = await import('node:sea')
  if (sea.isSea()) {
    const file = join(folder, name)
    await writeFile(file, new Uint8Array(sea.getRawAsset(name)), { flag: 'wx' })
    return file
  }
  const places = ['../examples/', '../../examples/', '../../../../examples/'].map((folder) =>
    fileURLToPath(new URL(folder + name, import.meta.url)),
  )
  return places.find((place) => existsSync(place)) ?? places[0]!
}
