import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { isNewer } from '../../../src/cli/program/update-notice.ts'
import { runCli, temporaryFolder, testNow } from '../../helpers/cli.ts'

let url: string
let running = '99.0.0'
let requests = 0

/** A server that answers everything with an empty list, and says which release it runs. */
beforeAll(async () => {
  const server = createServer((_request, response) => {
    requests++
    const headers = { 'content-type': 'application/json', 'x-relt-version': running, 'cache-control': 'no-store' }
    response.writeHead(200, headers).end(JSON.stringify({ labels: [] }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/relt/v1`
  return () => void server.close()
})

test('a newer server is mentioned once a day, on a terminal alone, and without a request of its own', async () => {
  const home = temporaryFolder()
  const env = { RELT_SERVER: url, RELT_USERNAME: 'ada', RELT_PASSWORD: 'secret' }
  const stderr = async ({ now = testNow, more = {}, isTerminal = true } = {}) => {
    const options = { home, now, env: { ...env, ...more }, ...(isTerminal && { columns: 80 }) }
    return (await runCli(['labels', 'list'], options)).stderr
  }
  const notice = /relt 99\.0\.0 is available: the server runs it, and this is \d/
  expect(await stderr({ isTerminal: false })).not.toMatch(notice)
  expect(await stderr({ more: { CI: 'true' } })).not.toMatch(notice)
  expect(await stderr({ more: { RELT_NO_UPDATE_NOTICE: '1' } })).not.toMatch(notice)
  running = '0.0.1'
  expect(await stderr()).not.toContain('is available')
  running = '99.0.0-rc.1'
  expect(await stderr()).not.toContain('is available')
  expect(readdirSync(home)).not.toContain('update-notice')
  running = '99.0.0'
  const before = requests
  expect(await stderr()).toMatch(notice)
  expect(requests).toBe(before + 1)
  expect(await stderr({ now: testNow + 86_399 })).not.toMatch(notice)
  expect(await stderr({ now: testNow + 86_400 })).toMatch(notice)
  expect(readdirSync(join(home, 'cache'))).toContain('update-notice')
})

test.each([
  ['1.0.0', '0.9.9', true],
  ['v1.10.0', '1.9.0', true],
  ['1.9.0', '1.10.0', false],
  ['1.0.0', '1.0.0', false],
  ['1.0.0-rc.1', '0.9.0', false],
  ['a version', '0.9.0', false],
])('%s is newer than %s: %s', (other, own, expected) => {
  expect(isNewer(other, own)).toBe(expected)
})
