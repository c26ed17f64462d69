import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test('a process that starts a server keeps its exit code', () => {
  const helper = new URL('../../helpers/postgres-server.ts', import.meta.url).href
  const program = `await (await import('${helper}')).loadEmbeddedPostgres(); process.exitCode = 3`
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', program]).status).toBe(3)
})
