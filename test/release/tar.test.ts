import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../scripts/release/image/layout.ts'
import { gzip, tar } from '../../scripts/release/tar.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const time = 1_780_000_000

test('tar reads what is written: folders, modes, links, owners and long paths', () => {
  const folder = temporaryFolder()
  const long = `${'folder/'.repeat(18)}file`
  const entries = [
    { path: 'b', data: 'text', mode: 0o755, id: 65_532 },
    { path: 'a' },
    { path: 'a/link', link: '../b' },
    { path: long, data: Buffer.alloc(513) },
  ]
  writeFileSync(join(folder, 'x.tar'), tar(entries, time))
  const listed = execFileSync('tar', ['--utc', '--numeric-owner', '-tvf', 'x.tar'], { cwd: folder }).toString()
  expect(listed.split('\n').map((line) => line.replace(/ +/g, ' '))).toEqual([
    'drwxr-xr-x 0/0 0 2026-05-28 20:26 a/',
    'lrwxrwxrwx 0/0 0 2026-05-28 20:26 a/link -> ../b',
    '-rwxr-xr-x 65532/65532 4 2026-05-28 20:26 b',
    `-rw-r--r-- 0/0 513 2026-05-28 20:26 ${long}`,
    '',
  ])
})

test('equal entries in another order are equal bytes', async () => {
  const entries = [
    { path: 'a', data: 'x' },
    { path: 'b', data: 'y' },
  ]
  expect(tar(entries.toReversed(), time).equals(tar(entries, time))).toBe(true)
  expect(await gzip(tar(entries, time))).toEqual(await gzip(tar(entries, time)))
})

test('an image layout names every blob by its digest', async () => {
  const layout = new Layout()
  const layers = [await gzip(tar([{ path: 'f', data: 'x' }], time))]
  const image = layout.addImage({ architecture: 'amd64', layers, config: { User: '1:1' }, time })
  const sbom = layout.addReferrer(image, 'application/vnd.cyclonedx+json', { bomFormat: 'CycloneDX' })
  const index = layout.addIndex([image], { title: 'relt' })
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'image.tar'), layout.pack([index, sbom], time))
  execFileSync('tar', ['-xf', 'image.tar'], { cwd: folder })
  const sums = execFileSync('sh', ['-c', 'cd blobs/sha256 && sha256sum *'], { cwd: folder }).toString()
  const lines = sums.trim().split('\n')
  expect(lines).toHaveLength(layout.blobs.size)
  for (const line of lines) expect(line.slice(0, 64)).toBe(line.slice(66))
})
