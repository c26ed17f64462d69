import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { NewEntry } from '../../../../src/spool/spool.ts'
import { testNow } from '../../../helpers/cli.ts'
import { smallReports } from '../../../helpers/small-store.ts'
import { entryWith, openSpool } from '../../../spool/entries.ts'
import { openRadar } from './radar.ts'

/** A server, and a spool in which so many uploads wait for it. */
async function openWaiting(count: number, more: (number: number) => Partial<NewEntry> = () => ({})) {
  const radar = await openRadar()
  const { spool } = openSpool({ home: radar.home })
  const server = { name: null, url: radar.url, user: 'ada' }
  const report = Buffer.from(JSON.stringify(smallReports[0]))
  const ids = Array.from(
    { length: count },
    (_, i) => spool.put(entryWith(i + 1, { server, report, ...more(i + 1) }), testNow - 7200).id,
  )
  return { ...radar, spool, ids }
}

const refusedBody = { body: { environment: 'x'.repeat(200) } }

describe('relt spool send', () => {
  test('sends all in their order, and then there is nothing', async () => {
    const { relt, json, stored, ids } = await openWaiting(3)
    const { sent, ...rest } = await json('spool send')
    expect(rest).toEqual({ success: true, failed: [], waiting: 0, refused: 0 })
    expect(sent.map((run: { spool_id: string }) => run.spool_id)).toEqual(ids)
    expect(await stored()).toEqual(['shop-1', 'shop-2', 'shop-3'])
    expect(await relt('spool send')).toEqual({ code: 0, stdout: '', stderr: 'No uploads are waiting.\n' })
  })

  test('sends those that are named', async () => {
    const { relt, stored, spool, ids } = await openWaiting(3)
    expect((await relt(`spool send ${ids[1]}`)).stdout).toContain(ids[1])
    expect(await stored()).toEqual(['shop-2'])
    expect(spool.list().map(({ id }) => id)).toEqual([ids[0], ids[2]])
    expect((await relt('spool send spl_00000000000000000')).code).toBe(3)
  })

  test('one that is refused stays with its error, and the next one is sent', async () => {
    const { relt, stored, spool, ids } = await openWaiting(3, (number) => (number === 2 ? refusedBody : {}))
    const { code, stdout, stderr } = await relt('spool send --json')
    expect(code).toBe(2)
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      failed: [{ spool_id: ids[1], code: 'rest_invalid_param' }],
      waiting: 0,
      refused: 1,
    })
    expect(stderr).toContain(`${ids[1]} was not sent: Invalid parameter(s): environment`)
    expect(await stored()).toEqual(['shop-1', 'shop-3'])
    expect(spool.listRefused()).toMatchObject([{ id: ids[1], attempts: { count: 1, refused: true } }])
    expect((await relt('reports upload - -c shop-4')).stderr).toBe('✓ Stored\n')
    expect((await relt('spool send')).stderr).toBe('No uploads are waiting.\n')
    expect(spool.listRefused()).toMatchObject([{ attempts: { count: 1 } }])
    expect((await relt(`spool send ${ids[1]}`)).code).toBe(2)
    expect((await relt('spool send --refused')).code).toBe(2)
    expect(spool.listRefused()).toMatchObject([{ attempts: { count: 3 } }])
  })

  test('a server that is down ends it, and all stay', async () => {
    const { down, relt, spool } = await openWaiting(2)
    await down()
    expect((await relt('spool send')).code).toBe(7)
    expect(spool.list().map(({ attempts }) => attempts.count)).toEqual([1, 0])
  })

  test('what was stored before its answer was lost is stored once', async () => {
    const { relt, stored, json, spool, ids } = await openWaiting(1)
    const file = join(spool.folder, `${ids[0]}.upload`)
    const bytes = readFileSync(file)
    await relt('spool send')
    writeFileSync(file, bytes)
    expect((await json('spool send')).sent).toMatchObject([{ duplicate: true }])
    expect(await stored()).toEqual(['shop-1'])
  })

  test('a second process is told to come back, and an upload does not mind', async () => {
    const { relt, spool, stored } = await openWaiting(1)
    await spool.alone(async () => {
      const { code, stderr } = await relt('spool send')
      expect({ code, stderr }).toEqual({ code: 7, stderr: expect.stringContaining('Another process is sending') })
      expect((await relt('spool drop --yes')).code).toBe(7)
      expect((await relt('reports upload - -c shop-2')).code).toBe(0)
    })
    expect(spool.list()).toHaveLength(1)
    expect(await stored()).toEqual(['shop-2'])
  })

  test('two processes at once send each upload once', async () => {
    const { relt, spool, stored } = await openWaiting(4)
    const ends = await Promise.all([relt('spool send'), relt('spool send')])
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 7])
    expect(spool.list()).toEqual([])
    expect(await stored()).toEqual(['shop-1', 'shop-2', 'shop-3', 'shop-4'])
  })

  test("another user's uploads are not sent as one's own", async () => {
    const { relt, spool, stored, ids } = await openWaiting(1)
    const { code, stderr } = await relt('spool send', { as: 'bob' })
    expect({ code, stderr }).toEqual({
      code: 4,
      stderr: expect.stringContaining(`${ids[0]} was not sent: It belongs to ada, but you are bob.`),
    })
    expect((await relt('reports upload - -c bobs', { as: 'bob' })).stderr).toBe('✓ Stored\n')
    expect(spool.list()).toHaveLength(1)
    expect(await stored()).toEqual([])
  })

  test('a broken one is set aside, and the others are sent', async () => {
    const { relt, json, stored, spool, ids } = await openWaiting(3)
    const file = join(spool.folder, `${ids[0]}.upload`)
    writeFileSync(file, readFileSync(file).subarray(0, -5))
    const { code, stderr } = await relt('spool send')
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(`The upload ${ids[0]} is broken`) })
    expect(await stored()).toEqual(['shop-2', 'shop-3'])
    expect(await json('spool list')).toMatchObject({ count: 0, broken: [ids[0]] })
    expect((await relt('spool list')).stdout).toContain(`Delete them: relt spool drop ID`)
    expect((await relt(`spool drop ${ids[0]} --yes`)).code).toBe(0)
    expect((await json('spool list')).broken).toEqual([])
  })
})

describe('relt spool list', () => {
  test('tells age, cluster, server, attempts and the last error', async () => {
    const { relt, spool, ids, url } = await openWaiting(2)
    spool.failed(spool.list()[1]!, { error: 'it took too long', refused: false })
    const { stdout } = await relt('spool list', { columns: 160 })
    const lines = stdout.replaceAll(url, 'URL').split('\n')
    expect(lines.map((line) => line.trim().split(/ {2,}/))).toEqual([
      ['ID', 'QUEUED', 'CLUSTER', 'SERVER', 'STATE', 'ATTEMPTS', 'LAST ERROR'],
      [ids[0], '2 hours ago', 'shop-1 (prod)', 'URL', 'waiting', '0'],
      [ids[1], '2 hours ago', 'shop-2 (prod)', 'URL', 'waiting', '1', 'it took too long'],
      [''],
    ])
  })

  test('needs no server, and tells nothing secret', async () => {
    const { down, relt, env, url, ids } = await openWaiting(1)
    await down()
    const { code, stdout } = await relt('spool list --json')
    expect(code).toBe(0)
    expect(stdout).not.toContain(env.RELT_PASSWORD)
    expect(JSON.parse(stdout).items).toEqual([
      {
        spool_id: ids[0],
        server: { name: null, url, user: 'ada' },
        cluster_name: 'shop-1',
        environment: 'prod',
        created: '2026-09-01 10:00:00',
        size_bytes: expect.any(Number),
        attempts: 0,
        last_error: null,
        refused: false,
      },
    ])
  })
})

describe('relt spool drop', () => {
  test('asks first, where somebody can answer', async () => {
    const { relt, spool } = await openWaiting(1)
    expect((await relt('spool drop')).code).toBe(2)
    expect(spool.list()).toHaveLength(1)
  })

  test('removes those that are named, or all', async () => {
    const { relt, json, spool, ids } = await openWaiting(3)
    expect(await json(`spool drop ${ids[1]} --yes`)).toEqual({ success: true, dropped: [ids[1]] })
    expect(spool.list().map(({ id }) => id)).toEqual([ids[0], ids[2]])
    expect((await relt('spool drop -y')).stderr).toBe('✓ Deleted 2\n')
    expect(spool.list()).toEqual([])
    expect((await relt('spool drop -y spl_00000000000000000')).code).toBe(3)
  })
})

describe('refused uploads', () => {
  test('are listed with their reason, retried on request, and dropped alone', async () => {
    const { relt, json, stored, spool, ids } = await openWaiting(3)
    for (const id of ids.slice(0, 2)) spool.failed(spool.find(id)!, { error: 'no such cluster', refused: true })
    expect(await json('spool list')).toMatchObject({
      count: 3,
      refused: 2,
      items: [
        { spool_id: ids[2], refused: false },
        { spool_id: ids[0], refused: true, last_error: 'no such cluster' },
        { spool_id: ids[1], refused: true },
      ],
    })
    const { stdout } = await relt('spool list', { columns: 200 })
    expect(stdout).toMatch(/refused +1 +no such cluster/)
    expect(stdout).toContain('2 refused. Retry them: relt spool send --refused')
    expect(await json(`spool drop ${ids[1]} --yes`)).toMatchObject({
      dropped: [ids[1]],
    })
    expect(await json('spool send --refused')).toMatchObject({ sent: [{ spool_id: ids[0] }], waiting: 1, refused: 0 })
    expect(await stored()).toEqual(['shop-1'])
    spool.failed(spool.find(ids[2]!)!, { error: 'no', refused: true })
    expect(await json('spool drop --refused --yes')).toEqual({ success: true, dropped: [ids[2]] })
  })
})

describe('a long list', () => {
  test('is cut, and says how much more there is', async () => {
    const { relt, json, ids } = await openWaiting(3)
    expect(await json('spool list --limit 2')).toMatchObject({ count: 3, items: [{ spool_id: ids[0] }, {}] })
    expect((await relt('spool list -n 2')).stdout).toContain('1 more. Show them: --limit 3')
  })
})
