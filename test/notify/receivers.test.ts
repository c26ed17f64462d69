import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deliver as deliverGeneric } from '../../src/notify/generic/deliver.ts'
import { newSigningSecret } from '../../src/notify/generic/standard/sign.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv } from '../helpers/process.ts'
import { message, release } from './helpers/messages.ts'
import { listen, secretFor, tools } from './helpers/receiver.ts'

const page = readFileSync(new URL('../../docs/notifications.md', import.meta.url), 'utf8')

/** The program below a heading of the page. */
function programFor(language: string): string {
  return new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page)![1]!
}

const hasPython = spawnSync('python3', ['--version']).status === 0

test.each([['js', 'receiver.mjs', process.execPath], ...(hasPython ? [['python', 'receiver.py', 'python3']] : [])] as [
  string,
  string,
  string,
][])('the receiver in %s takes what is signed and nothing else', async (language, name, run) => {
  const file = join(temporaryFolder(), name)
  writeFileSync(file, programFor(language))
  const placeholder = createServer()
  const port = await listen(placeholder, '127.0.0.1')
  await new Promise((done) => placeholder.close(done))
  const secret = newSigningSecret()
  const receiver = spawn(run, [file], { env: { ...minimalEnv, PORT: String(port), SECRET: secret } })
  onTestFinished(() => void receiver.kill())
  let shown = ''
  receiver.stdout.on('data', (chunk) => {
    shown += chunk
  })
  await expect.poll(() => isOpen(port)).toBe(true)
  const send = async (signingSecrets: string[], age = 0) => {
    const now = () => Math.floor(Date.now() / 1000) - age
    const sent = message([release({ project: { id: 1, name: 'Überblick' } })])
    const outcome = await deliverGeneric.send(
      sent,
      secretFor(`http://127.0.0.1:${port}/`),
      tools({ signingSecrets, now }),
    )
    return outcome.httpStatus
  }
  expect(await send([secret])).toBe(204)
  expect(await send([newSigningSecret(), secret])).toBe(204)
  expect(await send([newSigningSecret()])).toBe(401)
  expect(await send([])).toBe(401)
  expect(await send([secret], 301)).toBe(401)
  await expect.poll(() => shown).toContain('release.published Security fix (critical): Überblick v3.2.1')
})

function isOpen(port: number): Promise<boolean> {
  return new Promise((done) => {
    const socket = connect(port, '127.0.0.1', () => done(true)).on('error', () => done(false))
    socket.once('connect', () => socket.end())
  })
}
