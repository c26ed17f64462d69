import { hash } from 'node:crypto'
import { lstatSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'
import { ReltError } from '../errors.ts'
import { findProgram, runProgram, withoutOurs } from '../util/exec.ts'
import { unwritable } from '../util/file-error.ts'
import { homeFolder } from '../util/home.ts'
import { makeFolder } from '../util/make-folder.ts'
import { readOwnFile } from '../util/own-file.ts'
import { replaceFile } from '../util/replace-file.ts'
import { launchdLabel, launchdPlist } from './units/launchd.ts'
import { systemdUnit } from './units/systemd.ts'
import { encodeUnit, type UnitOptions, unitName } from './units/unit.ts'
import { windowsTask } from './units/windows.ts'

export interface InstallOptions extends UnitOptions {
  platform: NodeJS.Platform
  /** User id, for launchd. */
  uid: number
}

type ServiceManager = 'systemd' | 'launchd' | 'windows'

export interface ServiceFile {
  manager: ServiceManager
  file: string
}

/** How a service manager installs a unit. Commands are a program and its arguments. */
interface Manager {
  name: ServiceManager
  file: string
  content: () => string
  /** `isAgain`: the unit replaces an earlier one. */
  enable: (isAgain: boolean) => Step[]
  disable: Step[]
  /** Commands after the file was removed. */
  forget: Step[]
}

interface Step {
  command: [program: string, ...args: string[]]
  /** A failure means that there was nothing to do. */
  mayFail?: boolean
}

const timeoutMs = 60_000
const maxBytes = 256 * 1024

/**
 * Writes the unit, enables and starts it. Leaves nothing behind if the service manager fails. Throws `conflict` for a file
 * that `install` did not write or that was edited since, `usage` if the file cannot be written, and `job_failed` with the
 * output of a failing service manager.
 */
export async function installUnit(options: InstallOptions): Promise<ServiceFile> {
  const manager = managerFor(options)
  const { name, file } = manager
  const former = readUnit(file)
  write(options, file, encodeUnit(mark(manager.content())))
  try {
    await runSteps(manager.enable(former !== undefined), options.env)
  } catch (error) {
    if (former) replaceFile(file, former, { mode: 0o644 })
    else {
      await runSteps(manager.disable.map(tolerant), options.env).catch(() => {})
      rmSync(file, { force: true })
      await runSteps(manager.forget.map(tolerant), options.env).catch(() => {})
    }
    throw error
  }
  return { manager: name, file }
}

/** Stops the agent and removes the unit. Throws like `installUnit`, and `not_found` without a unit. */
export async function uninstallUnit(options: InstallOptions): Promise<ServiceFile> {
  const manager = managerFor(options)
  const { name, file } = manager
  if (readUnit(file) === undefined) {
    throw new ReltError('not_found', `The agent is not installed: there is no file ${file}.`, {
      hint: options.isUser ? 'For a service of the machine, leave out --user.' : 'For your own service, add --user.',
    })
  }
  await runSteps(manager.disable, options.env)
  try {
    rmSync(file)
  } catch (cause) {
    throw unwritable(file, cause, adviceFor(options))
  }
  await runSteps(manager.forget, options.env)
  return { manager: name, file }
}

function managerFor(options: InstallOptions): Manager {
  const { platform } = options
  if (platform === 'linux') return systemd(options)
  if (platform === 'darwin') return launchd(options)
  if (platform === 'win32') return taskScheduler(options)
  throw new ReltError('usage', `There is no service manager for ${platform} that relt knows.`, {
    hint: 'Start relt agent run with the service manager of your system.',
  })
}

function systemd(options: InstallOptions): Manager {
  const { isUser, env } = options
  const folder = isUser
    ? join(env.XDG_CONFIG_HOME || join(homeFor(env), '.config'), 'systemd/user')
    : '/etc/systemd/system'
  const service = `${unitName}.service`
  const systemctl = (...args: string[]): Step => ({ command: ['systemctl', ...(isUser ? ['--user'] : []), ...args] })
  return {
    name: 'systemd',
    file: join(folder, service),
    content: () => systemdUnit(options).content,
    enable: (isAgain) => [
      systemctl('daemon-reload'),
      systemctl('enable', service),
      systemctl(isAgain ? 'restart' : 'start', service),
    ],
    disable: [systemctl('disable', '--now', service)],
    forget: [systemctl('daemon-reload')],
  }
}

function launchd(options: InstallOptions): Manager {
  const { isUser, env, uid } = options
  const domain = isUser ? `gui/${uid}` : 'system'
  const folder = isUser ? join(homeFor(env), 'Library/LaunchAgents') : '/Library/LaunchDaemons'
  const file = join(folder, `${launchdLabel}.plist`)
  const stop: Step = { command: ['launchctl', 'bootout', `${domain}/${launchdLabel}`], mayFail: true }
  return {
    name: 'launchd',
    file,
    content: () => launchdPlist(options).content,
    enable: (isAgain) => [
      ...(isAgain ? [stop] : []),
      { command: ['launchctl', 'enable', `${domain}/${launchdLabel}`] },
      { command: ['launchctl', 'bootstrap', domain, file] },
    ],
    disable: [stop],
    forget: [],
  }
}

function taskScheduler(options: InstallOptions): Manager {
  const file = join(dataFolder(options.env, 'win32'), 'agent', `${unitName}.xml`)
  return {
    name: 'windows',
    file,
    content: () => windowsTask(options).content,
    enable: (isAgain) => [
      // Without /f, an existing task of this name from others is not overwritten.
      { command: ['schtasks', '/create', '/tn', unitName, '/xml', file, ...(isAgain ? ['/f'] : [])] },
      { command: ['schtasks', '/run', '/tn', unitName] },
    ],
    disable: [
      { command: ['schtasks', '/end', '/tn', unitName], mayFail: true },
      { command: ['schtasks', '/delete', '/tn', unitName, '/f'] },
    ],
    forget: [],
  }
}

const homeFor = (env: Env) => homeFolder(env, 'Set HOME.')

function decode(bytes: Buffer) {
  return bytes[0] === 0xff && bytes[1] === 0xfe ? bytes.toString('utf16le').slice(1) : bytes.toString('utf8')
}

/** The unit that `install` wrote; undefined without a file. */
function readUnit(file: string) {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (!stats) return undefined
  try {
    const bytes = stats.isFile() ? readOwnFile(file, maxBytes) : undefined
    if (bytes && isUnchanged(decode(bytes))) return bytes
  } catch (cause) {
    throw unwritable(file, cause)
  }
  throw new ReltError('conflict', `${file} was not written by relt agent install, or was edited since.`, {
    hint: 'Move it away or remove it yourself. To change settings of a systemd unit, use systemctl edit.',
  })
}

const markWords = 'Written by relt agent install, sha256'

/** Appends a comment with a hash of the content, which `isUnchanged` verifies. */
function mark(content: string) {
  const [open, close] = content.startsWith('<?xml') ? ['<!-- ', ' -->'] : ['# ', '']
  return `${content}${open}${markWords} ${toHash(content)}${close}\n`
}

/** Whether the text is an unchanged result of `mark`. */
function isUnchanged(text: string) {
  const [whole = '', hash] =
    /^(?:# |<!-- )Written by relt agent install, sha256 ([0-9a-f]{64})(?: -->)?\n$/m.exec(text) ?? []
  return text.endsWith(whole) && hash !== undefined && hash === toHash(text.slice(0, -whole.length))
}

const toHash = (content: string) => hash('sha256', content)

function write(options: InstallOptions, file: string, content: Buffer) {
  try {
    makeFolder(dirname(file))
    replaceFile(file, content, { mode: 0o644, isDurable: true })
  } catch (cause) {
    throw unwritable(file, cause, adviceFor(options))
  }
}

function adviceFor({ isUser, platform }: InstallOptions) {
  if (isUser) return 'Check the owner of the folder.'
  return `${platform === 'win32' ? 'Run it as an administrator' : 'Run it with sudo'}, or add --user.`
}

const tolerant = (step: Step): Step => ({ ...step, mayFail: true })

async function runSteps(steps: Step[], env: Env) {
  for (const { command, mayFail = false } of steps) {
    const [program, ...args] = command
    const file = findProgram(program, env)
    if (file === undefined) throw new ReltError('usage', `${program} is not on PATH.`)
    const output: Buffer[] = []
    const end = await runProgram(
      { file, args, env: withoutOurs(env) },
      { timeoutMs, onStdout: (chunk) => output.push(chunk), onStderr: (chunk) => output.push(chunk) },
    )
    if (end.how === 'done' || mayFail) continue
    const text = Buffer.concat(output).toString('utf8').trim()
    const hint = toAdvice(text, args.includes('--user'))
    throw new ReltError('job_failed', `${command.join(' ')} failed${end.error ? `: ${end.error}` : ''}.`, {
      output: text.split(/\r?\n/).slice(-5),
      ...(hint !== undefined && { hint }),
    })
  }
}

/** Advice for output of a service manager; undefined if the output has advice itself. */
function toAdvice(output: string, isUser: boolean) {
  // systemd: `Failed to connect to (user scope) bus` and `System has not been booted with systemd`.
  if (!/connect to (?:\w+ scope )?bus|not been booted with systemd/i.test(output)) return undefined
  return isUser
    ? 'This session has no systemd. Sign in as this user (su and sudo open no session), or start `relt agent run` yourself.'
    : 'This machine does not run systemd, as in a container. Start `relt agent run` with what starts your programs.'
}
