import { readConfig, writeConfig } from '../../../config/config-file.ts'
import { ReltError } from '../../../errors.ts'
import { accessOf, type ProfileAccess } from '../../../profiles/access.ts'
import type { Profile } from '../../../profiles/index.ts'
import { plain } from '../../output/io.ts'
import type { Cli } from '../../program/command.ts'

export interface AccessOptions {
  allowEnv?: string[]
  allowHost?: string[]
  /** Folder of the reports, in place of the profile's. */
  out?: string
}

/**
 * A server could name any variable of this machine, and a host to send it to. Its profiles may use only those that were
 * allowed: by options, or by an answer at a terminal, which the settings remember for the server. Profiles of the local
 * store need no permission. Throws `usage` with the missing names, or for a folder of reports outside the current one.
 */
export async function requireAccess(cli: Cli, profile: Profile, options: AccessOptions): Promise<void> {
  const server = await cli.context.server()
  if (!server) return
  refuseForeignFolder(profile, server.url, options.out)
  const { env } = cli.context
  const config = readConfig(env)
  const known = config.scanAccess.get(server.url) ?? { env: [], hosts: [] }
  const missing = without(accessOf(profile), {
    env: [...known.env, ...(options.allowEnv ?? [])],
    hosts: [...known.hosts, ...(options.allowHost ?? [])],
  })
  if (missing.env.length === 0 && missing.hosts.length === 0) return
  if (!cli.io.isInteractive) throw refused(profile, server.url, missing)
  await ask(cli, profile, { url: server.url, missing })
  const allowed = { env: [...known.env, ...missing.env], hosts: [...known.hosts, ...missing.hosts] }
  writeConfig(env, { ...config, scanAccess: new Map(config.scanAccess).set(server.url, allowed) })
}

/** A server must not choose where on this machine files are written. */
function refuseForeignFolder({ name, settings }: Profile, url: string, out: string | undefined): void {
  const folder = settings.output?.outputPath
  if (folder === undefined || out !== undefined) return
  const isBelowCurrent = !/^(?:[\\/]|[A-Za-z]:)/.test(folder) && !folder.split(/[\\/]/).includes('..')
  if (isBelowCurrent) return
  throw new ReltError('usage', `The profile ${name} of ${url} writes reports outside the current folder: ${folder}.`, {
    hint: 'Choose the folder yourself with --out.',
  })
}

function without(access: ProfileAccess, allowed: ProfileAccess): ProfileAccess {
  return {
    env: access.env.filter((name) => !allowed.env.includes(name)),
    hosts: access.hosts.filter((host) => !allowed.hosts.includes(host)),
  }
}

function refused({ name }: Profile, url: string, { env, hosts }: ProfileAccess): ReltError {
  const what = [...env, ...hosts].join(', ')
  const options = [...env.map((each) => `--allow-env ${each}`), ...hosts.map((each) => `--allow-host ${each}`)]
  return new ReltError('usage', `The profile ${name} of ${url} uses what is not allowed: ${what}.`, {
    hint: `If you trust the server with it, add ${options.join(' ')}`,
  })
}

/** Throws `cancelled` when the answer is no. */
async function ask(
  { io }: Cli,
  { name }: Profile,
  { url, missing: { env, hosts } }: { url: string; missing: ProfileAccess },
): Promise<void> {
  const lines = [
    `The profile ${name} of ${url} makes the scanner use:`,
    ...env.map((each) => `  the environment variable ${each}`),
    ...hosts.map((each) => `  the host ${each}`),
  ]
  io.err(`${lines.map(plain).join('\n')}\n`)
  const { confirm } = await import('@inquirer/prompts')
  const message = 'Allow profiles of this server to use it from now on?'
  if (!(await confirm({ message, default: false }, io.questions))) throw new ReltError('cancelled', 'Cancelled.')
}
