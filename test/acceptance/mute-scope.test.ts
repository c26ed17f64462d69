import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCli } from '../helpers/cli.ts'
import { folderOfFile } from '../helpers/output.ts'
import { makeSmallCatalog, smallReport } from '../helpers/small-store.ts'

const home = folderOfFile()
const cart = { Namespace: 'shop', Resource: 'deployment/cart', Message: 'Registry is not on the list' }
const report = (hour: string) =>
  JSON.stringify(smallReport(`2026-08-31T${hour}:00:00Z`, 40, { SEC014: { severity: 'critical', items: [cart] } }))

const run = (argv: string, options = {}) => runCli(argv.split(' '), { home, ...options })
const json = async (argv: string) => JSON.parse((await run(`${argv} --json`)).stdout)
const gate = async (cluster: string) => (await run(`gate check --fail-on findings>=critical --cluster ${cluster}`)).code
const mute = (more: string) => run(`exceptions add ${id.slice(0, 12)} --reason Known --until 9d${more}`)
const undo = async () => {
  for (const { exception_id } of (await json('exceptions list')).items) await run(`exceptions expire ${exception_id}`)
}

let id: string
const runs: Record<string, string> = {}
beforeAll(async () => {
  await makeSmallCatalog(home)
  for (const [cluster, hour] of [
    ['prod-us', '07'],
    ['prod-eu', '06'],
  ] as const) {
    const { stdout } = await run(`reports upload - --json --cluster ${cluster}`, { stdin: report(hour) })
    runs[cluster] = JSON.parse(stdout).run_id
    await gate(cluster)
  }
  id = (await json('findings list --cluster prod-eu')).items[0].fingerprint
})

describe('a finding of two clusters', () => {
  test('is accepted in the cluster scanned last, and fails the gate of the other', async () => {
    const { stderr } = await mute('')
    expect(stderr.replaceAll(/exc_\w{20}/g, 'exc_0')).toBe(
      [
        '✓ Added exc_0 until 2026-09-10: SEC014 shop deployment/cart: Registry is not on the list in prod-us (prod)',
        'It matches 1 in the latest runs.',
        `The gate failed and counted it in: prod-us (prod) (1 of them, ${runs['prod-us']}). Check again: relt gate check RUN`,
        'It still counts in prod-eu (prod). For all: --all-clusters',
        'Undo: relt exceptions expire exc_0\n',
      ].join('\n'),
    )
    expect([await gate('prod-us'), await gate('prod-eu')]).toEqual([0, 5])
    const open = (await json('findings list --all')).items
    expect(open.map((each: { cluster_name: string }) => each.cluster_name)).toEqual(['prod-eu'])
    expect((await run(`findings show ${id}`)).stdout).toMatch(/until 2026-09-10 in prod-us \(prod\): Known/)
    await undo()
    expect([await gate('prod-us'), await gate('prod-eu')]).toEqual([5, 5])
  })

  test('is accepted in the cluster that is named, with its environment', async () => {
    const { stderr } = await mute(' --cluster prod-eu')
    expect(stderr).toContain('in prod-eu (prod)\n')
    expect(stderr).toContain('It still counts in prod-us (prod).')
    expect([await gate('prod-us'), await gate('prod-eu')]).toEqual([5, 0])
    await undo()
  })

  test('is accepted in all clusters if that is asked for', async () => {
    const { stderr } = await mute(' --all-clusters')
    expect(stderr).toContain('in all clusters\nIt matches 2 in the latest runs.\n')
    expect(stderr).not.toContain('still counts')
    expect([await gate('prod-us'), await gate('prod-eu')]).toEqual([0, 0])
    await undo()
  })

  test('stays accepted in all by an exception that was stored without a cluster', async () => {
    const { exception_id } = JSON.parse((await mute(' --all-clusters --json')).stdout)
    expect((await json(`exceptions show ${exception_id}`)).cluster_name).toBeNull()
    expect((await run(`exceptions show ${exception_id}`)).stdout).toMatch(/Where +all clusters\n/)
    await undo()
  })
})

test('lists and details say where an exception applies, in 80 columns', async () => {
  await mute('')
  await run('exceptions add --check SEC0* --all-clusters --reason Known --until 8d')
  const { stdout } = await run('exceptions list --no-color', { columns: 80 })
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80)
  expect(stdout.replaceAll(/exc_\w{20}/g, 'exc_00000000000000000000')).toMatchInlineSnapshot(`
    "ID                        UNTIL       WHERE           MATCHES             REASON
    exc_00000000000000000000  2026-09-09  all clusters    check=SEC0*         Known
    exc_00000000000000000000  2026-09-10  prod-us (prod)  SEC014 shop         Known
                                                          deployment/cart:
                                                          Registry is not on
                                                          the list
    "
  `)
  const [{ exception_id }] = (await json('exceptions list')).items
  const shown = (await run(`exceptions show ${exception_id}`)).stdout
  expect(shown).toMatch(/Matches +check=SEC0\*\n +It matches 2 in the latest runs/)
  expect((await run('exceptions list --output markdown')).stdout).toContain('| prod-us (prod) |')
  await undo()
})

test('the report of a run says where the exceptions apply that its gate used', async () => {
  await mute('')
  await gate('prod-us')
  expect((await run(`reports show ${runs['prod-us']}`)).stdout).toMatch(/by local in prod-us \(prod\) let 1 pass until/)
  const file = join(home, 'report.html')
  await run(`reports html ${runs['prod-us']} --out ${file}`)
  const page = readFileSync(file, 'utf8')
  expect(page).toMatch(/Exceptions that were used[\s\S]*Where[\s\S]*prod-us \(prod\)/)
  await undo()
})

test('the Markdown of a gate says where its expired exceptions applied', async () => {
  const summary = join(home, 'summary.md')
  await run(`ci - --cluster prod-us --fail-on findings>=critical --summary ${summary}`, { stdin: report('07') })
  expect(readFileSync(summary, 'utf8')).toMatch(
    /### Expired exceptions[\s\S]* by local<\/code> in prod-us \(prod\): Known/,
  )
  expect(readFileSync(summary, 'utf8')).toMatch(/ by local<\/code> in all clusters: Known/)
  expect(readFileSync(summary, 'utf8')).not.toContain('prod-eu')
})

test('the command that a failed gate proposes is for its cluster', async () => {
  await gate('prod-eu')
  const { stdout } = await run(`gate explain ${runs['prod-eu']}`)
  expect(stdout).toContain(`relt exceptions add ${id.slice(0, 12)} --cluster prod-eu --environment prod`)
})
