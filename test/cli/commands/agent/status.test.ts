import { rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, testNow } from '../../../helpers/cli.ts'
import { entryWith, openSpool } from '../../../spool/entries.ts'

test('agent status shows waiting, refused and broken uploads', async () => {
  const { home, spool } = openSpool()
  const file = join(home, 'agent.yaml')
  writeFileSync(file, `jobs:\n  - {name: drop, watch: {folder: ${home}}}\n`)
  const status = async (...more: string[]) =>
    (await runCli(['agent', 'status', '--config', file, ...more], { home })).stdout
  const put = (number: number, age: number) => spool.put(entryWith(number), testNow - age).id
  const [refused, broken] = [put(2, 7), put(3, 7)]
  put(4, 60)
  spool.failed(spool.find(refused)!, { error: 'no such cluster', refused: true })
  writeFileSync(join(spool.folder, `${broken}.upload`), 'x')
  spool.list()
  expect(JSON.parse(await status('--json'))).toMatchObject({
    uploads_waiting: 1,
    uploads_refused: 1,
    uploads_broken: 1,
    oldest_upload_at: '2026-09-01 11:59:00',
    problems: [],
  })
  const text = await status()
  for (const part of ['1 upload waiting', '1 upload refused', '1 upload broken']) {
    expect(text).toContain(part)
  }
})

test('a spool that is no folder is a problem with a reason', () => {
  const { spool } = openSpool()
  expect(spool.findProblem()).toBeUndefined()
  rmdirSync(spool.folder)
  writeFileSync(spool.folder, 'no folder')
  expect(spool.findProblem()).toContain('cannot be written')
})
