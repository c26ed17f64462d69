import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { parseAgentConfig } from '../../src/agent/read-config.ts'
import { openAgentStore } from '../../src/agent/run-agent.ts'
import { type SourceName, sourceFor, sourceNames, sources } from '../../src/agent/sources/index.ts'
import { addOccurrence } from '../../src/store/fleet/agent-occurrence.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'

/** A job of each source. */
const jobs: Record<SourceName, string> = {
  profile: 'every: 1h, profile: prod',
  watch: 'watch: {folder: /in}',
  collect: 'every: 1h, cluster: prod, collect: kubescape',
  metrics: 'every: 5m, metrics: /var/lib/node_exporter/relt.prom',
}
const fileFor = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url))

test('the table has every source', () => {
  const files = globSync('*.ts', { cwd: fileFor('src/agent/sources') }).map((file) => file.replace('.ts', ''))
  expect(files.filter((file) => !['index', 'source'].includes(file)).sort()).toEqual(sourceNames.toSorted())
})

describe.each(sourceNames)('%s', (name) => {
  test('is the source of a job that has its key, and of no other', () => {
    const [job] = parseAgentConfig(`jobs:\n  - {name: a, ${jobs[name]}}`, 'agent.yaml').jobs
    expect(sourceFor(job!)).toEqual({ source: sources[name], from: job![name] })
    expect(sourceNames.filter((other) => job![other] !== undefined)).toEqual([name])
  })

  test('is in docs/agent.md, with what it reads in the cluster', () => {
    const guide = readFileSync(fileFor('docs/agent.md'), 'utf8')
    expect(guide).toMatch(new RegExp(`^\\| \`${name}\\b`, 'm'))
    const [, access] = guide.split('\n| job | resources |\n')
    expect(access!.split('\n\n')[0]).toContain(`\`${name}`)
  })
})

const watching = () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'agent.yaml'), `jobs:\n  - {name: inbox, watch: {folder: ${join(home, 'in')}}}\n`)
  return home
}

test('a job that takes reports as they come is not triggered', async () => {
  const { code, stderr } = await runCli(['agent', 'trigger', 'inbox'], { home: watching() })
  expect([code, stderr]).toEqual([2, 'error: The job inbox takes reports as they come and cannot be started.\n'])
})

test('a job that was triggered before its source changed fails with a reason', async () => {
  const home = watching()
  const db = await openAgentStore({ env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow })
  const triggered = { job: 'inbox', cause: 'trigger', state: 'pending', due_at: testNow, late_seconds: 0 } as const
  await addOccurrence(db, { ...triggered, detail: null })
  await db.destroy()
  await runCli(['agent', 'run', '--once'], { home })
  const { stdout } = await runCli(['agent', 'history', '--json'], { home })
  expect(JSON.parse(stdout).items).toMatchObject([
    { job: 'inbox', state: 'failed', detail: 'The job inbox takes reports as they come and cannot be started.' },
  ])
})
