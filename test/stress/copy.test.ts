import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { openServerWithUser } from '../client/open.ts'
import { runCli } from '../helpers/cli.ts'
import { addRuns, answersFor, inStore, makeHome } from '../helpers/copy-world.ts'
import { openRecorder } from '../helpers/recorder.ts'

const runs = 1000
/** Beside those of each world. */
const own = 5
const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('1,000 runs go to a server through kills and from it to a third store, and all answers are alike', async () => {
  const [first, third, server] = [await makeHome(), await makeHome(), await openServerWithUser({ hasThreads: true })]
  await inStore(first, (client) => addRuns(client, runs - own))
  const recorder = await openRecorder(server.server.url)
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: server.password }
  const argv = ['reports', 'copy', '--to', recorder.url, '--json']
  for (const uploads of [1, 150, 400, 800]) {
    const command = spawn(process.execPath, [main, ...argv], {
      env: { PATH: process.env.PATH, RELT_HOME: first, RELT_KEYCHAIN: 'off', RELT_DELIVERY: 'off', ...env },
      stdio: 'ignore',
    })
    const timer = setInterval(() => {
      const sent = recorder.writes().filter((line) => line.endsWith('/cluster-reports')).length
      if (sent >= uploads) command.kill('SIGKILL')
    }, 5)
    await once(command, 'exit')
    clearInterval(timer)
    expect(command.signalCode).toBe('SIGKILL')
  }
  expect(await runCli(argv, { home: first, env })).toMatchObject({ code: 0, stderr: '' })
  const written = recorder.writes().length
  const again = JSON.parse((await runCli(argv, { home: first, env })).stdout)
  expect(again.items).toHaveLength(runs)
  expect(new Set(again.items.map(({ state }: { state: string }) => state))).toEqual(new Set(['already there']))
  expect(recorder.writes().length).toBe(written)

  const back = ['reports', 'copy', '--server', recorder.url, '--to', 'local', '--json']
  const pulled = await runCli(back, { home: third, env })
  expect(pulled).toMatchObject({ code: 0, stderr: '' })
  const [before, after] = [await inStore(first, answersFor), await inStore(third, answersFor)]
  expect(before.length).toBeGreaterThan(100 * own)
  expect(after.filter((answer, index) => answer !== before[index]).map((answer) => answer.slice(0, 500))).toEqual([])
  expect(after.length).toBe(before.length)
}, 3_600_000)
