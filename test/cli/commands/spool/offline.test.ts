import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import uploadVerb from '../../../../src/cli/commands/reports/upload.ts'
import { json as jsonType, openHostile } from '../../../client/hostile.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'
import { smallReports } from '../../../helpers/small-store.ts'
import { entryWith, openSpool } from '../../../spool/entries.ts'
import { openRadar } from './radar.ts'

const upload = 'reports upload - --offline-ok'

test('upload --offline-ok', async () => {
  expect(await parse(uploadVerb, ['r.json', '--offline-ok'])).toEqual([['r.json'], { offlineOk: true }])
})

describe('while the server is down', () => {
  test('an upload is kept, and sent once after the next upload', async () => {
    const { down, up, relt, json, stored } = await openRadar()
    await down()
    const { code, stdout, stderr } = await relt(`${upload} -c shop-1`)
    const id = /^spl_[0-9a-z]{21}$/m.exec(stdout)?.[0]
    expect({ code, id: typeof id }).toEqual({ code: 0, id: 'string' })
    expect(stdout).toMatch(/Cluster +shop-1 \(prod/)
    expect(stderr).toMatch(
      /^warning: 127\.0\.0\.1:\d+ does not answer: nothing listens there\. The report is queued as spl_/,
    )
    expect((await json('spool list')).items).toMatchObject([{ spool_id: id, cluster_name: 'shop-1', attempts: 0 }])
    await up()
    const next = await relt('reports upload - -c shop-2')
    expect(next).toMatchObject({ code: 0, stderr: '✓ Sent 1 from the spool\n✓ Stored\n' })
    expect(await stored()).toEqual(['shop-1', 'shop-2'])
    expect((await relt('reports upload - -c shop-3')).stderr).toBe('✓ Stored\n')
    expect(await json('spool list')).toEqual({ success: true, count: 0, refused: 0, items: [], broken: [] })
  })

  test('the answer of a program says so', async () => {
    const { down, relt, url } = await openRadar()
    await down()
    const { code, stdout } = await relt(`${upload} --compare --json`)
    expect({ code, ...JSON.parse(stdout) }).toEqual({
      code: 0,
      success: true,
      spooled: true,
      spool_id: expect.stringMatching(/^spl_/),
      server: { name: null, url, user: 'ada' },
      reason: { code: 'relt_unreachable', message: expect.stringContaining('does not answer') },
      comparison: null,
    })
  })

  test('an upload fails as before without --offline-ok, and nothing is kept', async () => {
    const { down, relt, home } = await openRadar()
    await down()
    expect((await relt('reports upload -')).code).toBe(7)
    expect(existsSync(join(home, 'spool'))).toBe(false)
  })

  test.each([
    ['the server would refuse its envelope', '-e x'.padEnd(200, 'x'), smallReports[0]!],
    ['the report is none', '', { nothing: 1 }],
    ['the report names no cluster', '', { ...smallReports[0]!, metadata: {} }],
  ])('nothing is kept when %s', async (_, more, report) => {
    const { down, relt, home } = await openRadar()
    await down()
    expect((await relt(`${upload} ${more}`.trim(), { report })).code).toBe(2)
    expect(existsSync(join(home, 'spool'))).toBe(false)
  })

  test('a report without a time takes its place by when it was kept', async () => {
    const { home, down, relt } = await openRadar()
    await down()
    const report = { ...smallReports[0]!, metadata: { clusterName: 'shop' } }
    await relt(upload, { report })
    const { spool } = openSpool({ home })
    expect(spool.read(spool.list()[0]!.id)!.body).toMatchObject({ run: { finished_at: '2026-09-01 12:00:00' } })
  })

  test('a full spool is told with the way out, and the exit code stays that of the server', async () => {
    const { home, down, relt } = await openRadar()
    await down()
    const { spool } = openSpool({ home })
    const noise = Buffer.from(JSON.stringify(Array.from({ length: 120_000 }, () => Math.random())))
    spool.put(entryWith(1, { report: noise }), 0)
    const { code, stderr } = await relt(upload, { env: { RELT_SPOOL_MAX_SIZE_MB: '1' } })
    expect(code).toBe(7)
    expect(stderr).toMatch(/does not answer.* The report could not be queued either: The spool in .* is full/)
    expect(stderr).toMatch(/hint: .*`relt spool send` or `relt spool drop ID/)
    expect(spool.list()).toHaveLength(1)
  })
})

/** A machine whose server answers with this, and wants nobody to try again soon. */
async function openAnswering(status: number) {
  const home = temporaryFolder()
  const headers = { ...jsonType, 'retry-after': '3600' }
  const { url } = await openHostile((_, response) => void response.writeHead(status, headers).end('{}'))
  const env = { RELT_SERVER: `${url}/x`, RELT_USERNAME: 'ada', RELT_PASSWORD: 'secret' }
  const relt = (argv: string) => runCli(argv.split(' '), { home, stdin: JSON.stringify(smallReports[0]), env })
  return { home, relt, kept: () => openSpool({ home }).spool.list().length }
}

describe('a server that answers with', () => {
  test.each([429, 500, 502, 503, 504, 507])('%i is waited for', async (status) => {
    const { relt, kept } = await openAnswering(status)
    expect({ code: (await relt(upload)).code, kept: kept() }).toEqual({ code: 0, kept: 1 })
  })

  test.each([400, 401, 403, 404, 409, 413, 415, 422])('%i is not', async (status) => {
    const { relt, kept } = await openAnswering(status)
    const { code } = await relt(upload)
    expect({ failed: code !== 0, kept: kept() }).toEqual({ failed: true, kept: 0 })
  })
})

test('the store on this machine needs no spool', async () => {
  const home = temporaryFolder()
  const stdin = JSON.stringify(smallReports[0])
  expect(await runCli(upload.split(' '), { home, stdin })).toMatchObject({ code: 0, stderr: '✓ Stored\n' })
  expect(existsSync(join(home, 'spool'))).toBe(false)
})

describe('the gate of an upload that waits', () => {
  test.each([
    ['score<50', 0, 'passed'],
    ['score<70', 5, 'failed'],
    ['findings>=critical', 5, 'failed'],
    ['findings>=critical>3', 0, 'passed'],
    ['new>=high', 6, 'undecided'],
    ['regressed>=low', 6, 'undecided'],
    ['score-drop>5', 6, 'undecided'],
    ['major-behind>0', 6, 'undecided'],
  ])('%s ends with %i', async (rule, expected, verdict) => {
    const { relt } = await openAnswering(503)
    // A first run would pass: that this is one, nobody knows.
    const { code, stdout } = await relt(`ci - --offline-ok --json --fail-on ${rule}`)
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: expected, spooled: true, verdict })
    const uploaded = await relt(`${upload} --json --fail-on ${rule}`)
    expect(uploaded.code).toBe(expected)
    expect(JSON.parse(uploaded.stdout).gate).toMatchObject({ verdict })
  })

  test('is written for the CI as ever', async () => {
    const { home, relt } = await openAnswering(503)
    const files = ['junit', 'sarif', 'summary', 'code-quality'].map((name) => [name, join(home, name)] as const)
    const options = files.map(([name, file]) => `--${name} ${file}`).join(' ')
    expect((await relt(`ci - --offline-ok --fail-on new>=high ${options}`)).code).toBe(6)
    const written = Object.fromEntries(files.map(([name, file]) => [name, readFileSync(file, 'utf8')]))
    expect(written.junit).toContain('The server is unreachable')
    expect(JSON.parse(written.sarif!).runs[0].results.length).toBeGreaterThan(0)
    expect(JSON.parse(written['code-quality']!).length).toBeGreaterThan(0)
    expect(written.summary).toContain('undecided')
  })
})
