import { expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import { ReltError } from '../../../src/errors.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { makeSmallStore } from '../../helpers/small-store.ts'

/** Interrupts at the given call of `listReports`; `before` runs before each. */
const until = (last: number, before: (call: number) => void = () => {}) => {
  let calls = 0
  return (client: Client): Client => ({
    ...client,
    call: async (name, input) => {
      if (name === 'listReports') {
        calls++
        if (calls === last) process.emit('SIGINT')
        before(calls)
      }
      return client.call(name, input)
    },
  })
}

test('--watch redraws a terminal, and elsewhere prints only what differs', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const argv = ['reports', 'list', '--watch', '1']
  const pipe = await runCli(argv, { home, between: until(3) })
  const once = await runCli(['reports', 'list'], { home })
  expect(pipe).toEqual(once)
  const terminal = await runCli(argv, { home, columns: 100, between: until(2), env: { NO_COLOR: '1' } })
  const looks = terminal.stdout.split('\u001b[H\u001b[2J')
  expect(looks).toHaveLength(3)
  expect(looks[1]).toBe(looks[2])
  expect(looks[2]).toContain('Last look at 12:00:00 UTC, every 1 s. Ctrl-C ends.')
})

test('--watch outlives a server that does not answer, and no other failure', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const argv = ['reports', 'list', '--watch', '1']
  const failing = (code: 'unreachable' | 'forbidden') =>
    until(2, (call) => {
      if (call === 1) throw new ReltError(code, 'No.')
    })
  const patient = await runCli(argv, { home, between: failing('unreachable') })
  expect(patient.code).toBe(0)
  expect(patient.stdout).toMatch(/^error: No\.\nshop-prod/)
  expect(await runCli(argv, { home, between: failing('forbidden') })).toMatchObject({ code: 4, stdout: '' })
})
