import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect } from 'vitest'
import { version } from '../../src/version.ts'

export interface Installed {
  /** The command and its first arguments. */
  command: string[]
  /** Folder for data, as the command names it. */
  home: string
  env?: Record<string, string>
}

/** Runs what every form must do: the demo, exit codes, the agent's check, a server that answers and ends on SIGTERM. */
export async function proveProgram({ command, home, env = {} }: Installed): Promise<void> {
  const [program, ...first] = command
  const options = { reject: false, env: { RELT_HOME: home, RELT_KEYCHAIN: 'off', HOME: home, ...env } } as const
  const relt = (...args: string[]) => execa(program!, [...first, ...args], { ...options, all: true })
  expect(await relt('--version')).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(version) })
  const demo = await relt('demo', '--no-pause')
  expect({ code: demo.exitCode, end: demo.all.slice(-500) }).toMatchObject({ code: 0 })
  expect((await relt('reports', 'show', 'crun_none')).exitCode).toBe(3)
  expect((await relt('no-such-command')).exitCode).toBe(2)
  expect((await relt('agent', 'check', '--config', `${home}/none.yaml`)).exitCode).toBe(2)

  const server = execa(program!, [...first, 'serve', '--port', '0', '--data', `${home}/server`], options)
  let said = ''
  const ended = server.then(() => {
    throw new Error(`relt serve ended: ${said}`)
  })
  ended.catch(() => {})
  server.stderr.on('data', (data) => {
    said += data
  })
  while (!/Listening on (\S+)/.test(said)) await Promise.race([once(server.stderr, 'data'), ended])
  const [, address] = /Listening on (\S+)/.exec(said)!
  expect((await fetch(new URL('/readyz', address))).status).toBe(200)
  server.kill('SIGTERM')
  expect(await server).toMatchObject({ exitCode: 0 })
}

/** A folder that the user `nobody` owns. */
export async function folderOfNobody(parent: string, name: string): Promise<string> {
  const folder = join(parent, name)
  mkdirSync(folder, { recursive: true })
  await execa('chown', ['-R', 'nobody:', folder])
  return folder
}

export const asNobody = ['setpriv', '--reuid=nobody', '--regid=nogroup', '--clear-groups']
