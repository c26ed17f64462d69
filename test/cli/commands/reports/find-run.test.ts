import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../../src/client/client.ts'
import { runCli } from '../../../helpers/cli.ts'
import { folderOfFile } from '../../../helpers/output.ts'
import { makeSmallCatalog, smallReport, uploadAll } from '../../../helpers/small-store.ts'

const home = folderOfFile()
/** Oldest first: four of production, then one of another environment, and one of another cluster. */
let ids: string[]

const checks = { SEC003: { severity: 'critical', items: [] } }
const toReport = (day: string) => smallReport(`${day}T06:00:00Z`, 80, checks)

beforeAll(async () => {
  await makeSmallCatalog(home)
  ids = await uploadAll(home, ['2026-08-01', '2026-08-10', '2026-08-20', '2026-08-30'].map(toReport))
  ids.push(await upload('2026-08-15', '--environment', 'dev'), await upload('2026-08-05', '--cluster', 'other'))
  // The cluster of the last upload is the default.
  await runCli(['reports', 'upload', '-'], { home, stdin: JSON.stringify(toReport('2026-08-30')) })
})

async function upload(day: string, ...options: string[]): Promise<string> {
  const stdin = JSON.stringify(toReport(day))
  const { stdout } = await runCli(['reports', 'upload', '-', '--json', ...options], { home, stdin })
  return JSON.parse(stdout).run_id
}

/** As a server answers that knows the interface alone: no filter, no environments. */
function withoutExtensions(client: Client, calls: string[]): Client {
  return {
    ...client,
    async call(name: never, input: { query?: Record<string, unknown> }) {
      calls.push(name)
      const { run_id_prefix: _, scanned_until: __, ...query } = input.query ?? {}
      const answer = (await client.call(name, { ...input, query } as never)) as Record<string, unknown>
      return name === 'listReports' ? { ...answer, environments: null } : answer
    },
  } as Client
}

describe.each([true, false])('on a server with extensions: %s', (hasExtensions) => {
  const calls: string[] = []
  const run = (argv: string[], env: Record<string, string> = {}) => {
    calls.length = 0
    const between = hasExtensions
      ? (client: Client): Client => ({
          ...client,
          call: (name, input) => {
            calls.push(name)
            return client.call(name, input)
          },
        })
      : (client: Client) => withoutExtensions(client, calls)
    return runCli(argv, { home, env, between })
  }
  const shown = async (argv: string[], env?: Record<string, string>) => {
    const { stdout, stderr } = await run(['reports', 'show', ...argv, '--json'], env)
    return stdout === '' ? stderr : ids.indexOf(JSON.parse(stdout).run_id)
  }

  test.each([
    [['latest', '-c', 'shop-prod'], 3],
    [['latest~2', '-c', 'shop-prod'], 1],
    [['latest~0', '-c', 'shop-prod', '-e', 'dev'], 4],
    [['-c', 'other'], 5],
    [['@2026-08-19', '-c', 'shop-prod'], 1],
    [['@2026-08-20', '-c', 'shop-prod'], 2],
    [['@2026-08-20T05:59', '-c', 'shop-prod'], 1],
    [['@2026-08-20', '-c', 'shop-prod', '-e', 'dev'], 4],
  ])('reports show %j', async (argv, index) => {
    expect(await shown(argv)).toBe(index)
  })

  test('finds a run by the beginning of its id, whichever its cluster', async () => {
    for (const [index, id] of ids.entries()) {
      expect(await shown([id.slice(0, 14)])).toBe(index)
      expect(await shown([id.slice(5, 14)], { RELT_CLUSTER: 'other' })).toBe(index)
    }
  })

  test('lists the runs that an ambiguous beginning can mean', async () => {
    const { code, stderr } = await run(['reports', 'show', 'crun_'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/^error: 6 runs have an id that begins with crun_\./)
    for (const id of ids) expect(stderr).toContain(id)
  })

  test('lists the newest runs where a run is not found', async () => {
    const far = await run(['reports', 'show', 'latest~9', '-c', 'shop-prod', '-e', 'prod'])
    expect(far.code).toBe(3)
    expect(far.stderr).toMatch(/^error: shop-prod \(prod\) has only \d runs, so there is no latest~9\.\n {2}crun_/)
    const early = await run(['reports', 'show', '@2026-07-01', '-c', 'shop-prod', '-e', 'prod'])
    expect(early.stderr).toMatch(/^error: shop-prod \(prod\) has no run until 2026-07-01 23:59:59\.\n {2}crun_/)
    expect(early.stderr).toContain(ids[0])
  })

  test('says which environments it left out', async () => {
    if (!hasExtensions) return
    const { stdout } = await run(['reports', 'show', 'latest~1', '-c', 'shop-prod'])
    expect(stdout).toContain('Only environment prod of shop-prod; it also has dev: -e NAME.')
  })
})

describe('the current cluster', () => {
  const run = (argv: string[], env: Record<string, string> = {}) => runCli(argv, { home, env })

  test('is that of RELT_CLUSTER, before the setting', async () => {
    await runCli(['config', 'set', 'cluster', 'other/prod'], { home })
    try {
      const named = async (argv: string[], env = {}) => {
        const { cluster_name, environment } = JSON.parse((await run([...argv, '--json'], env)).stdout)
        return `${cluster_name}/${environment}`
      }
      expect(await named(['reports', 'show'])).toBe('other/prod')
      expect(await named(['reports', 'show', '-e', 'prod'])).toBe('other/prod')
      expect(await named(['reports', 'show'], { RELT_CLUSTER: 'shop-prod/dev' })).toBe('shop-prod/dev')
      expect(await named(['reports', 'show', '-e', 'prod'], { RELT_CLUSTER: 'shop-prod/dev' })).toBe('shop-prod/prod')
      expect(await named(['reports', 'show', '-c', 'shop-prod'], { RELT_CLUSTER: 'other' })).toBe('shop-prod/prod')
      expect(await named(['reports', 'trends', '--days', '60'])).toBe('other/prod')
      const listed = JSON.parse((await run(['reports', 'list', '--json'])).stdout)
      expect(listed.items.map((each: { run_id: string }) => each.run_id)).toEqual([ids[5]])
    } finally {
      await runCli(['config', 'set', 'cluster', ''], { home })
    }
  })

  test('is named where it has no runs', async () => {
    const { code, stderr } = await run(['reports', 'show'], { RELT_CLUSTER: 'gone/prod' })
    expect(code).toBe(3)
    expect(stderr).toBe(
      'error: No reports for cluster gone/prod. RELT_CLUSTER names it.\nhint: Choose a cluster with -c, or use another value of RELT_CLUSTER.\n',
    )
  })

  test('must be a name', async () => {
    expect((await run(['reports', 'show'], { RELT_CLUSTER: '/prod' })).stderr).toBe(
      'error: RELT_CLUSTER cannot be "/prod".\nhint: Use the name of a cluster, such as prod-eu or prod-eu/prod.\n',
    )
    expect((await run(['config', 'set', 'cluster', '/'])).code).toBe(2)
  })
})

test('deletes and compares the runs that references name', async () => {
  const compare = ['reports', 'compare', '-c', 'shop-prod', '--from', 'latest~3', '--to', '@2026-08-20', '--json']
  const { from, to } = JSON.parse((await runCli(compare, { home })).stdout)
  expect([from.run_id, to.run_id]).toEqual([ids[0], ids[2]])
  const remove = ['reports', 'delete', 'latest', '-c', 'other', '--yes', '--json']
  expect((await runCli(remove, { home })).code).toBe(0)
  expect((await runCli(['reports', 'show', ids[5]!], { home })).code).toBe(3)
})
