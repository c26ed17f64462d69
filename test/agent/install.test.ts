import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type InstallOptions, installUnit, uninstallUnit } from '../../src/agent/install.ts'
import { temporaryFolder } from '../helpers/cli.ts'

interface Machine {
  options: InstallOptions
  /** Calls of the service manager. */
  calls: () => string[]
  files: () => string[]
  /** The service manager fails at calls with this word. */
  failAt: (word: string) => void
}

/** A home folder and service managers that record how they are called. */
function machine(platform: NodeJS.Platform): Machine {
  const folder = temporaryFolder()
  const [home, bin, log, failing] = ['home', 'bin', 'calls', 'failing'].map((name) => join(folder, name)) as [
    ...[string, string, string, string],
  ]
  for (const path of [home, bin]) mkdirSync(path)
  for (const name of ['systemctl', 'launchctl', 'schtasks']) {
    const script = `#!/bin/sh
echo "${name} $*" >> '${log}'
[ -e '${failing}' ] || exit 0
read -r word < '${failing}'
case "$*" in *"$word"*) echo 'the manager says no' >&2; exit 1;; esac
`
    writeFileSync(join(bin, name), script, { mode: 0o755 })
  }
  const env = { HOME: home, PATH: bin, LOCALAPPDATA: join(home, 'local'), USERNAME: 'me', USERDOMAIN: 'PC' }
  const config = join(home, 'agent.yaml')
  return {
    options: { platform, isUser: true, uid: 501, config, program: ['/opt/relt'], env },
    calls: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : []),
    files: () =>
      readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((path) => statSync(join(home, path)).isFile()),
    failAt: (word) => writeFileSync(failing, `${word}\n`),
  }
}

const expected = {
  linux: {
    file: '.config/systemd/user/relt-agent.service',
    install: ['daemon-reload', 'enable relt-agent.service', 'start relt-agent.service'],
    again: ['daemon-reload', 'enable relt-agent.service', 'restart relt-agent.service'],
    uninstall: ['disable --now relt-agent.service', 'daemon-reload'],
    call: 'systemctl --user',
  },
  darwin: {
    file: 'Library/LaunchAgents/relt.agent.plist',
    install: ['enable gui/501/relt.agent', 'bootstrap gui/501 FILE'],
    again: ['bootout gui/501/relt.agent', 'enable gui/501/relt.agent', 'bootstrap gui/501 FILE'],
    uninstall: ['bootout gui/501/relt.agent'],
    call: 'launchctl',
  },
  win32: {
    file: 'local/relt/agent/relt-agent.xml',
    install: ['/create /tn relt-agent /xml FILE', '/run /tn relt-agent'],
    again: ['/create /tn relt-agent /xml FILE /f', '/run /tn relt-agent'],
    uninstall: ['/end /tn relt-agent', '/delete /tn relt-agent /f'],
    call: 'schtasks',
  },
} as const

describe.each(Object.entries(expected))('on %s', (platform, { file, install, again, uninstall, call }) => {
  const make = () => machine(platform as NodeJS.Platform)
  const pathIn = ({ options }: Machine) => join(options.env.HOME!, file)
  const commands = (made: Machine, list: readonly string[]) =>
    list.map((args) => `${call} ${args.replace('FILE', pathIn(made))}`)

  test('writes one file in the home folder, and enables and starts it', async () => {
    const made = make()
    expect(await installUnit(made.options)).toMatchObject({ file: pathIn(made) })
    expect(made.files()).toEqual([file])
    expect(made.calls()).toEqual(commands(made, install))
  })

  test('replaces its own file and restarts the agent', async () => {
    const made = make()
    await installUnit(made.options)
    await installUnit({ ...made.options, config: '/other/agent.yaml' })
    expect(made.calls().slice(install.length)).toEqual(commands(made, again))
    expect(readFileSync(pathIn(made)).toString(platform === 'win32' ? 'utf16le' : 'utf8')).toContain(
      '/other/agent.yaml',
    )
  })

  test('uninstall leaves what was there before', async () => {
    const made = make()
    writeFileSync(join(made.options.env.HOME!, 'other'), '')
    await installUnit(made.options)
    await uninstallUnit(made.options)
    expect(made.files()).toEqual(['other'])
    expect(made.calls().slice(install.length)).toEqual(commands(made, uninstall))
    await expect(uninstallUnit(made.options)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('leaves a file of somebody else, an edited one and a link as they are', async () => {
    for (const spoil of [
      (path: string) => writeFileSync(path, 'mine\n'),
      (path: string) => writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('# mine\n')])),
      (path: string) => writeFileSync(path, readFileSync(path).fill('x', 200, 201)),
    ]) {
      const made = make()
      await installUnit(made.options)
      spoil(pathIn(made))
      const content = readFileSync(pathIn(made))
      const before = made.calls().length
      await expect(installUnit(made.options)).rejects.toMatchObject({ code: 'conflict' })
      await expect(uninstallUnit(made.options)).rejects.toMatchObject({ code: 'conflict' })
      expect(readFileSync(pathIn(made))).toEqual(content)
      expect(made.calls()).toHaveLength(before)
    }
    const made = make()
    mkdirSync(join(pathIn(made), '..'), { recursive: true })
    const target = join(made.options.env.HOME!, 'target')
    writeFileSync(target, 'mine\n')
    symlinkSync(target, pathIn(made))
    await expect(installUnit(made.options)).rejects.toMatchObject({ code: 'conflict' })
    expect(readFileSync(target, 'utf8')).toBe('mine\n')
  })

  test('leaves nothing behind when the service manager refuses', async () => {
    const made = make()
    made.failAt(install.at(-1)!.split(' ')[0]!)
    await expect(installUnit(made.options)).rejects.toMatchObject({
      code: 'job_failed',
      output: ['the manager says no'],
    })
    expect(made.files()).toEqual([])
  })

  test('keeps the earlier file when the service manager refuses the new one', async () => {
    const made = make()
    await installUnit(made.options)
    const content = readFileSync(pathIn(made))
    made.failAt(install.at(-1)!.split(' ')[0]!)
    await expect(installUnit({ ...made.options, config: '/other.yaml' })).rejects.toMatchObject({ code: 'job_failed' })
    expect(readFileSync(pathIn(made))).toEqual(content)
  })
})

test('a service manager that is not there changes nothing', async () => {
  const made = machine('linux')
  const options = { ...made.options, env: { ...made.options.env, PATH: '/nowhere' } }
  await expect(installUnit(options)).rejects.toThrow('systemctl is not on PATH')
  expect(made.files()).toEqual([])
})

test('other platforms are told what to start', async () => {
  await expect(installUnit(machine('freebsd').options)).rejects.toMatchObject({
    code: 'usage',
    hint: 'Start relt agent run with the service manager of your system.',
  })
})

test('the service manager gets no secret of relt', async () => {
  const made = machine('linux')
  const log = join(made.options.env.HOME!, 'env')
  writeFileSync(join(made.options.env.PATH!, 'systemctl'), `#!/bin/sh\nexport -p > '${log}'\n`, { mode: 0o755 })
  await installUnit({ ...made.options, env: { ...made.options.env, RELT_PASSWORD: 'a-secret' } })
  expect(readFileSync(log, 'utf8')).not.toContain('a-secret')
  expect(readFileSync(join(made.options.env.HOME!, expected.linux.file), 'utf8')).not.toContain('a-secret')
})

test.each([
  'Failed to connect to bus: No medium found',
  'Failed to connect to user scope bus via local transport: no such file',
  "System has not been booted with systemd as init system (PID 1). Can't operate.",
])('says what to do where systemd does not answer: %s', async (words) => {
  const { options } = machine('linux')
  const script = `#!/bin/sh\necho "${words}" >&2\nexit 1\n`
  writeFileSync(join(options.env.PATH!, 'systemctl'), script, { mode: 0o755 })
  await expect(installUnit(options)).rejects.toMatchObject({
    code: 'job_failed',
    hint: expect.stringContaining('su and sudo open no session'),
  })
})
