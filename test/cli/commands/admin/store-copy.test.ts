import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { copy as storeCopyVerb } from '../../../../src/cli/commands/admin/store/noun.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'
import { parse } from '../../../helpers/output.ts'
import { makeSmallStore } from '../../../helpers/small-store.ts'

async function smallStore() {
  const folder = temporaryFolder()
  const [home, other] = [join(folder, 'home'), join(folder, 'other')]
  await makeSmallStore(home)
  const run = (argv: string[], more = {}) => runCli(['admin', 'store', 'copy', ...argv], { home, ...more })
  return { home, other, run }
}

test('copies a folder to another one, which needs the key', async () => {
  const { home, other, run } = await smallStore()
  const copied = await run(['--from', home, '--to', other])
  expect(copied).toMatchObject({ code: 0, stdout: '' })
  expect(copied.stderr).toContain(` tables from ${home} to ${other}\n`)
  expect(copied.stderr).toMatch(/The master key [0-9a-f]{16} is required but not available/)
  expect(readdirSync(other)).toEqual(['relt.db'])
  expect(statSync(join(other, 'relt.db')).mode & 0o777).toBe(0o600)
  writeFileSync(join(other, 'master.key'), readFileSync(join(home, 'master.key')))
  for (const argv of [
    ['reports', 'compare'],
    ['projects', 'search', 'argo'],
    ['admin', 'audit'],
  ]) {
    expect(await runCli([...argv, '--json'], { home: other })).toEqual(await runCli([...argv, '--json'], { home }))
  }
  expect(await runCli(['admin', 'verify'], { home: other })).toMatchObject({ code: 0 })
  const again = await run(['--from', home, '--to', other])
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining(`${other} has a store already.`) })
  expect(again.stderr).toContain('with --to')
})

test('copies a backup, and lists rows and hashes as JSON', async () => {
  const { home, other, run } = await smallStore()
  const file = join(other, '..', 'backup.db')
  expect(await runCli(['admin', 'backup', file], { home })).toMatchObject({ code: 0 })
  const copied = JSON.parse((await run(['--from', file, '--to', other, '--json'])).stdout)
  expect(copied).toMatchObject({ success: true, from: file, to: other, master_key: { available: false } })
  const row = copied.tables.find(({ table }: { table: string }) => table === 'run')
  expect(row).toEqual({ table: 'run', rows: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
})

test('shows on a terminal how far it is', async () => {
  const { home, other, run } = await smallStore()
  const { stderr } = await run(['--from', home, '--to', other], { columns: 80 })
  expect(stderr).toMatch(/(\d+)\/\1 rows, \w+/)
})

test('leaves nothing when a value has another type than its column', async () => {
  const { home, other, run } = await smallStore()
  const db = new DatabaseSync(join(home, 'relt.db'))
  db.exec(`update data_key set wrapped = 'text' where purpose = 'hash'`)
  db.close()
  expect(await run(['--from', home, '--to', other])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('The column wrapped of data_key has a value of another type.'),
  })
  expect(readdirSync(other)).toEqual([])
})

test('refuses a source that is none, and stores that are not named', async () => {
  const { home, other, run } = await smallStore()
  expect(await run(['--from', other, '--to', `${other}2`])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`There is no store in ${other}.`),
  })
  const notes = join(home, '..', 'notes.txt')
  writeFileSync(notes, 'no database at all, but a longer text than a header')
  expect(await run(['--from', notes, '--to', other])).toMatchObject({ code: 1 })
  expect(await run([])).toMatchObject({ code: 2, stderr: expect.stringContaining('Name the source with --from') })
  expect(await run(['--from', home, '--data', other])).toMatchObject({ code: 2 })
  expect(existsSync(other)).toBe(false)
  expect(await parse(storeCopyVerb, ['--from', 'a', '--to', 'b'])).toEqual([{ from: 'a', to: 'b' }])
})
