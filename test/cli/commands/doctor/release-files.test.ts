import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkReleaseFiles } from '../../../../src/cli/commands/doctor/release-files.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const doctor = (file: string) => runCli(['doctor', '--verify', file], { home: temporaryFolder() })

/** A folder with the list and these files. */
function download(listed: Record<string, string>, files: Record<string, string>): string {
  const folder = temporaryFolder()
  const lines = Object.entries(listed).map(([name, text]) => `${sha256(text)}  ${name}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

test('files beside the list pass with their checksums alone', async () => {
  const folder = download({ 'a.tar.gz': 'a', 'b.deb': 'b', 'c.rpm': 'c' }, { 'a.tar.gz': 'a', 'b.deb': 'changed' })
  const { code, stdout: out, stderr: err } = await doctor(join(folder, 'SHA256SUMS'))
  expect(code).toBe(1)
  expect(out).toContain('a.tar.gz has its checksum')
  expect(out).toContain(`b.deb has the SHA-256 ${sha256('changed')}, not ${sha256('b')}`)
  expect(out).not.toContain('c.rpm')
  expect(err).toContain('Failed checks: release.')
})

test('a list with none of its files shows nothing to be good', async () => {
  const folder = download({ 'a.tar.gz': 'a' }, {})
  expect((await doctor(join(folder, 'SHA256SUMS'))).code).toBe(1)
})

test('the executable passes if the list has its checksum', async () => {
  const folder = download({ 'relt-1.2.3-linux-x64': 'relt' }, { program: 'relt', other: 'x' })
  const sums = join(folder, 'SHA256SUMS')
  const [found] = await checkReleaseFiles(sums, join(folder, 'program'))
  expect(found).toMatchObject({ state: 'ok', found: expect.stringContaining('is relt-1.2.3-linux-x64') })
  expect(await checkReleaseFiles(sums, join(folder, 'other'))).toMatchObject([{ state: 'fail' }])
})

test.each([
  ['a list of another form', 'hello\n'],
  ['a path outside of the folder', `${'0'.repeat(64)}  ../x\n`],
  ['an absolute path', `${'0'.repeat(64)}  /etc/hostname\n`],
])('refuses %s', async (_, text) => {
  const file = join(temporaryFolder(), 'SHA256SUMS')
  writeFileSync(file, text)
  const { code, stderr } = await doctor(file)
  expect([code, stderr]).toEqual([2, expect.stringContaining('is no list of checksums')])
})

test('refuses a list that is not there', async () => {
  expect((await doctor(join(temporaryFolder(), 'none'))).code).toBe(2)
})
