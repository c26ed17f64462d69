import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { killServer } from '../helpers/kill-server.ts'
import { killUploads } from '../helpers/kill-uploads.ts'
import { smallReports } from '../helpers/small-store.ts'

test('6 kills in the middle of uploads lose nothing that was answered', () => killUploads(6))

test('120 uploads of 4 users get through 2 kills of their server, each once', async () => {
  await killServer({ uploads: 120, users: 4, atOnce: 16, kills: 2, seed: 2 })
})

test('an empty master key, left by a first upload that was killed while it wrote it, does not stop the next one', async () => {
  const home = join(temporaryFolder(), 'home')
  mkdirSync(home)
  writeFileSync(join(home, 'master.key'), '', { mode: 0o600 })
  const upload = { home, stdin: JSON.stringify(smallReports[0]) }
  expect(await runCli(['reports', 'upload', '-', '--quiet'], upload)).toMatchObject({ code: 0, stderr: '' })
  expect((await runCli(['reports', 'show', '--report'], { home })).code).toBe(0)
})
