import { expect, test } from 'vitest'
import { openServerWithUser } from '../client/open.ts'
import { runCli } from '../helpers/cli.ts'
import { openRecorder } from './recorder.ts'
import { addAccount, addRuns, answersFor, inStore, makeHome } from './world.ts'

test('runs, profiles and subscriptions go to a server and from it to a third store, and all answers are alike', async () => {
  const [first, third, server] = [await makeHome(), await makeHome(), await openServerWithUser()]
  await inStore(first, (client) => addRuns(client, 6))
  await inStore(first, addAccount)
  const recorder = await openRecorder(server.server.url)
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: server.password }
  const sync = (home: string, ...argv: string[]) =>
    runCli(['sync', ...argv, '--with', recorder.url, '--json'], { home, env })

  const dry = await sync(first, 'push', '--dry-run')
  expect({ ...dry, body: JSON.parse(dry.stdout).success }).toMatchObject({ code: 0, body: true, stderr: '' })
  expect(recorder.writes()).toEqual([])
  const pushed = await sync(first, 'push')
  expect(pushed).toMatchObject({ code: 0, stderr: '' })
  const body = JSON.parse(pushed.stdout)
  expect(body).toMatchObject({ success: true, conflicts: [], left_out: [], deleted: [] })
  expect(JSON.parse(dry.stdout).copied).toEqual(body.copied.map((item: object) => ({ ...item, new_id: null })))
  expect(Object.groupBy(body.copied as { kind: string }[], ({ kind }) => kind)).toMatchObject({
    run: { length: 11 },
    profile: { length: 1 },
    subscription: { length: 2 },
    label: { length: 2 },
  })
  const written = recorder.writes().length
  const again = await sync(first, 'both')
  expect(again).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(again.stdout)).toMatchObject({
    copied: [],
    matched: { run: 11, profile: 1, subscription: 2, label: 2 },
  })
  expect(recorder.writes().length).toBe(written)

  expect(await sync(third, 'pull')).toMatchObject({ code: 0, stderr: '' })
  const [before, after] = [await inStore(first, answersFor), await inStore(third, answersFor)]
  expect(before.length).toBeGreaterThan(11 * 5)
  expect(after.filter((answer, index) => answer !== before[index]).map((answer) => answer.slice(0, 1500))).toEqual([])
  expect(after.length).toBe(before.length)
  const accounts = [first, third].map((home) => runCli(['export'], { home }))
  const [one, other] = await Promise.all(accounts)
  expect(other!.stdout).toBe(one!.stdout)
})

test('two syncs at once copy a profile once', async () => {
  const [home, server] = [await makeHome(), await openServerWithUser()]
  await inStore(home, (client) => client.call('createConfig', { body: { name: 'shop', cluster_name: 'shop-prod' } }))
  const recorder = await openRecorder(server.server.url, { holdWritesMs: 300 })
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: server.password }
  const sync = () => runCli(['sync', 'push', '--with', recorder.url, '--json'], { home, env })
  const both = await Promise.all([sync(), sync()])
  expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array(2).fill({ code: 0, stderr: '' }))
  const bodies = both.map(({ stdout }) => JSON.parse(stdout))
  expect(bodies.map(({ copied, matched }) => copied.length + matched.profile).sort()).toEqual([1, 1])
  expect(recorder.writes().filter((line) => line.endsWith('/cluster-configs'))).toHaveLength(1)
})
