import { beforeAll, describe, expect, test } from 'vitest'
import type { Client } from '../../../../src/client/client.ts'
import { runCli, testNow } from '../../../helpers/cli.ts'
import { folderOfFile, withoutIds } from '../../../helpers/output.ts'
import { makeSmallCatalog, smallReport, smallReports, uploadAll } from '../../../helpers/small-store.ts'

const day = 86_400
const home = folderOfFile()
const ids: Record<string, string> = {}
beforeAll(async () => {
  await makeSmallCatalog(home)
  const upload = async (name: string, report: object, ...argv: string[]) => {
    const options = { home, stdin: JSON.stringify(report) }
    ids[name] = JSON.parse((await runCli(['reports', 'upload', '-', ...argv, '--json'], options)).stdout).run_id
  }
  const ofDev = smallReport('2026-08-25T06:00:00Z', 90, { NS002: { severity: 'info', items: [{}] } })
  await upload('first', smallReports[1]!)
  await upload('second', smallReports[2]!)
  await upload('dev', ofDev, '--environment', 'dev')
  await upload('dev2', { ...ofDev, metadata: { ...ofDev.metadata, generatedAt: '2026-08-26T06:00:00Z' } }, '-e', 'dev')
  await upload('other', smallReports[2]!, '--cluster', 'other')
})

const run = async (argv: string[], more: object = {}) => {
  const { stdout, stderr } = await runCli(['reports', ...argv], { home, env: { NO_COLOR: '1' }, ...more })
  return withoutIds(stdout) + (stderr && `--- stderr\n${stderr}`)
}
const leftOut = 'Only environment prod of shop-prod; it also has dev: -e NAME.\n'

describe('list', () => {
  test('shows the environment of each run', async () => {
    expect(await run(['list', '-c', 'shop-prod'], { columns: 80 })).toMatchInlineSnapshot(`
      "shop-prod (all environments)
      ENVIRONMENT  RUN                    SCANNED     SCORE  FAILED  FINDINGS
      prod         crun_****************  1 day ago      80     5/5         5
      dev          crun_****************  6 days ago     90     1/1         1
      dev          crun_****************  1 week ago     90     1/1         1
      prod         crun_****************  1 week ago   72.5     3/5         4
      "
    `)
    expect(await run(['list', '-c', 'shop-prod', '-o', 'csv'])).toMatchInlineSnapshot(`
      "environment,run,scanned,score,failed_checks,checks,findings,critical,kubernetes,images
      prod,crun_****************,2026-08-31 06:00:00,80,5,5,5,3,v1.34.2,3
      dev,crun_****************,2026-08-26 06:00:00,90,1,1,1,0,v1.34.2,3
      dev,crun_****************,2026-08-25 06:00:00,90,1,1,1,0,v1.34.2,3
      prod,crun_****************,2026-08-24 06:00:00,72.5,3,5,4,2,v1.34.2,3
      "
    `)
  })

  test('of one environment has no such column', async () => {
    const text = await run(['list', '-c', 'shop-prod', '-e', 'dev'])
    expect(text).toMatch(/^shop-prod \(dev\)\nRUN /)
  })

  test('shows checks that did not run', async () => {
    const text = await run(['list', '-c', 'other'], { between: withNotRun(3) })
    expect(text).toMatch(/FAILED +NOT RUN/)
    expect(text).toMatch(/5\/5 +3 /)
  })
})

describe.each(['trends', 'compare', 'freshness'])('%s', (verb) => {
  test('takes the environment of the latest run, and names the others', async () => {
    const text = await run([verb, '-c', 'shop-prod'])
    expect(text).toMatch(/^shop-prod/)
    expect(text).toContain(leftOut.trim())
    const json = JSON.parse((await runCli(['reports', verb, '-c', 'shop-prod', '--json'], { home })).stdout)
    expect(json).toMatchObject({ environment: 'prod', other_environments: ['dev'] })
  })

  test('names no others where one was asked for, or there is one', async () => {
    expect(await run([verb, '-c', 'shop-prod', '-e', 'dev'])).not.toContain('Only environment')
    if (verb !== 'compare') expect(await run([verb, '-c', 'other'])).not.toContain('Only environment')
  })

  test('says on standard error what data formats have no place for', async () => {
    const { stdout, stderr } = await runCli(['reports', verb, '-c', 'shop-prod', '-o', 'csv'], { home })
    expect(stdout).not.toContain('Only environment')
    expect(stderr).toBe(leftOut)
  })

  test('says that there was no run for long', async () => {
    const text = await run([verb, '-c', 'shop-prod', ...(verb === 'trends' ? ['-d', '90'] : [])], {
      now: testNow + 40 * day,
    })
    expect(text).toContain('No run of shop-prod (prod) since 2026-08-31.')
  })
})

describe('trends', () => {
  test('says which is the latest run when there is none in the window', async () => {
    expect(await run(['trends', '-c', 'shop-prod'], { now: testNow + 40 * day })).toBe(
      `${leftOut}--- stderr\nNo run in the last 30 days. The latest run of shop-prod (prod) is from 2026-08-31. Look further back with --days.\n`,
    )
  })

  test('says that checks did not run in the latest run', async () => {
    expect(await run(['trends', '-c', 'other'], { between: withNotRun(1) })).toContain(
      'The latest run of other (prod) has gaps: 1 check did not run. Its score and findings are incomplete.\n',
    )
  })
})

describe('compare', () => {
  test('says at the top that the runs are of two environments', async () => {
    const text = await run(['compare', '--from', ids.dev!, '--to', ids.second!])
    expect(text.split('\n').slice(0, 2)).toMatchInlineSnapshot(`
      [
        "shop-prod (dev)  2026-08-25 06:00 → shop-prod (prod)  2026-08-31 06:00",
        "Score 90 → 80 (not comparable)   0 new, 1 regressed, 1 resolved, 2 first seen, 2 back in scope, 4 not comparable, 0 unchanged",
      ]
    `)
  })

  test('says at the top that the runs are of two clusters', async () => {
    const argv = ['compare', '--from', ids.other!, '--to', ids.second!]
    const text = await run(argv)
    expect(text.split('\n').slice(0, 2)).toMatchInlineSnapshot(`
      [
        "other (prod)  2026-08-31 06:00 → shop-prod (prod)  2026-08-31 06:00",
        "Score 80 → 80 ±0   0 new, 0 regressed, 0 resolved, 5 unchanged",
      ]
    `)
    const json = JSON.parse((await runCli(['reports', ...argv, '--json'], { home })).stdout)
    expect(json).toMatchObject({ across_clusters: true })
  })

  test('says nothing of the kind about two runs of one cluster', async () => {
    const argv = ['compare', '--from', ids.first!, '--to', ids.second!]
    expect(await run(argv)).not.toContain('These runs are of')
    const json = JSON.parse((await runCli(['reports', ...argv, '--json'], { home })).stdout)
    expect(json).not.toHaveProperty('across_clusters')
    expect(json).not.toHaveProperty('other_environments')
  })

  test('says that checks did not run', async () => {
    expect(await run(['compare', '-c', 'shop-prod'], { between: withNotRun(2) })).toContain(
      '2 checks did not run in either scan\n',
    )
  })
})

test('latest is the run that was scanned last, not the one that was uploaded last', async () => {
  const home = folderOfFile()
  await uploadAll(home, [smallReports[2]])
  const stdin = JSON.stringify(smallReports[0])
  await runCli(['reports', 'upload', '-', '--environment', 'dev'], { home, stdin })
  for (const verb of ['freshness', 'trends']) {
    const json = JSON.parse((await runCli(['reports', verb, '--json'], { home })).stdout)
    expect(json).toMatchObject({ environment: 'prod', other_environments: ['dev'] })
  }
})

/** A server that says of each run that so many checks did not run. */
function withNotRun(not_run_checks: number) {
  const mark = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(mark)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.fromEntries(Object.entries(value).map(([name, child]) => [name, mark(child)]))
    return 'failed_checks' in fields ? { ...fields, not_run_checks } : fields
  }
  return (client: Client) =>
    ({ ...client, call: async (...args: Parameters<Client['call']>) => mark(await client.call(...args)) }) as Client
}
