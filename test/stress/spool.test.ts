import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'
import { entryWith, openSpool } from '../spool/entries.ts'

const memoryFile = fileURLToPath(new URL('../helpers/spool-memory.ts', import.meta.url))

async function peakWith(count: number): Promise<number> {
  const { home, spool } = openSpool()
  const { id } = spool.put(entryWith(0), 0)
  const bytes = readFileSync(join(spool.folder, `${id}.upload`))
  for (let number = 1; number < count; number++) {
    const name = `spl_${number.toString(36).padStart(9, '0')}${id.slice(13)}`
    writeFileSync(join(spool.folder, `${name}.upload`), bytes)
  }
  const { finished } = start(memoryFile, [], { RELT_HOME: home })
  const { stdout, stderr } = await finished
  expect(stderr).toBe('')
  const { peak, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({ waiting: count, first: Math.min(count, 10), due: true })
  return peak
}

test('a start needs the same memory with 10 and with 100,000 uploads', async () => {
  const [few, many] = [await peakWith(10), await peakWith(100_000)]
  expect(many / few).toBeLessThan(1.25)
})

test('SIGTERM while an upload is sent ends the agent, and the upload stays', async () => {
  const asked = Promise.withResolvers<void>()
  const silent = createServer(() => asked.resolve()).listen(0, '127.0.0.1')
  onTestFinished(() => {
    silent.closeAllConnections()
    silent.close()
  })
  await new Promise((resolve) => silent.once('listening', resolve))
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/api/relt/v1`
  const { home, spool } = openSpool()
  const { id } = spool.put(entryWith(1, { server: { name: null, url, user: 'ada' } }), 0)
  const file = join(home, 'agent.yaml')
  writeFileSync(file, `jobs:\n  - {name: drop, watch: {folder: ${temporaryFolder()}}}\n`)
  const env = {
    RELT_HOME: home,
    RELT_SERVER: url,
    RELT_USERNAME: 'ada',
    RELT_PASSWORD: 'abcd efgh ijkl mnop qrst uvwx',
  }
  const { child, finished } = start(reltFile, ['agent', 'run', '--config', file], env)
  await asked.promise
  child.kill('SIGTERM')
  const { code } = await finished
  expect(code).toBe(0)
  expect(spool.list().map((entry) => [entry.id, entry.attempts.count])).toEqual([[id, 0]])
})
