import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServerWithUser } from '../../../client/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { addRuns, answersFor, inStore, makeHome, reportAt } from '../../../helpers/copy-world.ts'
import { openRecorder } from '../../../helpers/recorder.ts'

const upload = (home: string, message: string) =>
  inStore(home, (client) => client.call('uploadReport', { body: {}, report: reportAt('2026-08-20', message) }))

async function openEnds(options?: Parameters<typeof openRecorder>[1]) {
  const [home, { server, password }] = [await makeHome(), await openServerWithUser()]
  const recorder = await openRecorder(server.url, options)
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: password, NO_COLOR: '1' }
  const copy = (...argv: string[]) => runCli(['reports', 'copy', ...argv], { home, env, columns: 80 })
  return { home, recorder, env, copy, push: (...argv: string[]) => copy('--to', recorder.url, ...argv) }
}

test('reports are copied to a server and from it to a third store, and all answers are alike', async () => {
  const { home, recorder, env, push } = await openEnds()
  await inStore(home, (client) => addRuns(client, 6))
  expect(await push('--dry-run')).toMatchObject({
    code: 0,
    stdout: `Would copy 11 reports to ${recorder.url}.\n`,
  })
  expect(recorder.writes()).toEqual([])
  expect(await push()).toMatchObject({ code: 0, stdout: `Copied 11 reports to ${recorder.url}.\n` })
  const { length } = recorder.requests
  expect(await push()).toMatchObject({ code: 0, stdout: 'Already there: 11 reports.\n' })
  // Listed reports that the target has are not downloaded.
  expect(recorder.requests.slice(length).filter((line) => !/^GET \S+cluster-reports\?/.test(line))).toEqual([])

  const third = await makeHome()
  const back = ['reports', 'copy', '--server', recorder.url, '--to', 'local']
  expect(await runCli(back, { home: third, env })).toMatchObject({ code: 0, stdout: 'Copied 11 reports to local.\n' })
  const [before, after] = [await inStore(home, answersFor), await inStore(third, answersFor)]
  expect(before.length).toBeGreaterThan(11 * 5)
  expect(after.filter((answer, index) => answer !== before[index]).map((answer) => answer.slice(0, 1500))).toEqual([])
  expect(after.length).toBe(before.length)
})

test('only the named clusters are copied', async () => {
  const { home, push } = await openEnds()
  await inStore(home, (client) => addRuns(client, 6))
  const { stdout } = await push(
    '--cluster',
    'c0',
    '--cluster',
    'c1/test',
    '--output',
    'csv',
    '--columns',
    'cluster,environment',
  )
  expect([...new Set(stdout.trim().split('\n').slice(1))].sort()).toEqual(['c0,prod', 'c0,test', 'c1,test'])
})

test('a copy that is cut off says how to continue, and stores nothing twice', async () => {
  const { home, env, push, recorder } = await openEnds({ dropAfter: 12 })
  await inStore(home, (client) => addRuns(client, 6))
  expect(await push()).toMatchObject({
    code: 7,
    stderr: expect.stringContaining('hint: Run the same command again to continue.'),
  })
  const sent = () => recorder.writes().length
  const before = sent()
  const whole = await openRecorder(recorder.target)
  const again = await runCli(['reports', 'copy', '--to', whole.url, '--json'], { home, env })
  const states = JSON.parse(again.stdout).items.map(({ state }: { state: string }) => state)
  expect(before).toBeGreaterThan(0)
  expect(states).toContain('already there')
  expect(states).toContain('copied')
  const wrong = await runCli(['reports', 'copy', '--to', whole.url], { home, env: { ...env, RELT_PASSWORD: 'wrong' } })
  expect(wrong).toMatchObject({ code: 4, stderr: expect.stringContaining('hint: Sign in: relt auth login') })
})

test('a rate limit is waited for, and the report is then copied', async () => {
  const { home, push } = await openEnds({ limitAt: 2, limitSeconds: 3 })
  await upload(home, 'one')
  expect(await push('--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"copied"') })
})

test('two ends that are one, and credentials that would reach two servers, are refused', async () => {
  const { copy } = await openEnds()
  expect(await copy('--local', '--to', 'local')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The source and the target are the same.'),
  })
  expect(await copy('--server', 'https://a.example', '--to', 'https://b.example')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('RELT_USERNAME and RELT_PASSWORD would be sent to both servers.'),
  })
  expect(await copy()).toMatchObject({ code: 2, stderr: expect.stringContaining('--to') })
  expect(await copy('--to', 'local', '--data', 'x', '--to-team', 'platform')).toMatchObject({ code: 2 })
})

test('a data folder without a store is refused, and none is made', async () => {
  const typo = join(temporaryFolder(), 'typo')
  const { copy } = await openEnds()
  expect(await copy('--data', typo, '--to', 'local')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`${typo} has no store`),
  })
  expect(existsSync(typo)).toBe(false)
})

test('reports are copied between two stores of one machine', async () => {
  const [{ home, copy }, other] = [await openEnds(), await makeHome()]
  await upload(other, 'one')
  expect(await copy('--data', other, '--to', 'local')).toMatchObject({ code: 0 })
  expect(await inStore(home, (client) => client.call('listReports', { query: {} }))).toMatchObject({ total: 1 })
})
