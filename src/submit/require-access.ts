import { readConfig, type ScanAccess, writeConfig } from '../config/config-file.ts'
import { ReltError } from '../errors.ts'
import { accessFor, type ProfileAccess } from '../profiles/access.ts'
import type { Profile } from '../profiles/index.ts'
import type { SubmitContext } from './context.ts'

export interface AccessOptions {
  allowEnv?: string[]
  allowHost?: string[]
  allowContext?: string[]
  /** Context that overrides the profile's. */
  context?: string | undefined
  /** Folder for the reports that overrides the profile's. */
  out?: string | undefined
}

/** Asks the user to allow what the profile of the server at `url` uses. Throws `cancelled` if denied. */
export type ConfirmAccess = (profile: Profile, url: string, missing: ProfileAccess) => Promise<void>

/**
 * A server could name any variable of this machine and a host to send it to, or another cluster to scan. So its profiles may
 * only use what options or settings of relt allow; what `confirm` allows is saved in the settings, for this server. Without
 * `confirm`, there is no prompt. Profiles in the local store need no permission. Throws `usage` with the missing names, and
 * for a report folder outside the current one.
 */
export async function requireAccess(
  { server, env }: Pick<SubmitContext, 'server' | 'env'>,
  profile: Profile,
  options: AccessOptions,
  confirm?: ConfirmAccess,
): Promise<void> {
  if (!server) return
  const missing = findMissingAccess({ url: server.url, env }, profile, options)
  if (!missing) return
  if (!confirm) throw refused(profile, server.url, missing)
  await confirm(profile, server.url, missing)
  const config = readConfig(env)
  const known = config.scanAccess.get(server.url) ?? noAccess
  const contexts = [...(known.contexts ?? []), ...missing.contexts]
  const allowed = {
    env: [...known.env, ...missing.env],
    hosts: [...known.hosts, ...missing.hosts],
    ...(contexts.length > 0 && { contexts }),
  }
  writeConfig(env, { ...config, scanAccess: new Map(config.scanAccess).set(server.url, allowed) })
}

const noAccess: ScanAccess = { env: [], hosts: [], contexts: [] }

/**
 * Finds what a profile of the server at `url` uses without permission by settings or options. Undefined if everything is
 * allowed. Throws `usage` for a report folder outside the current one.
 */
function findMissingAccess(
  { url, env }: { url: string; env: SubmitContext['env'] },
  profile: Profile,
  options: AccessOptions,
): ProfileAccess | undefined {
  refuseForeignFolder(profile, url, options.out)
  const known = readConfig(env).scanAccess.get(url) ?? noAccess
  const missing = without(accessFor(profile), {
    env: [...known.env, ...(options.allowEnv ?? [])],
    hosts: [...known.hosts, ...(options.allowHost ?? [])],
    contexts: [...(known.contexts ?? []), ...(options.allowContext ?? [])],
  })
  if (options.context !== undefined) missing.contexts = []
  return Object.values(missing).every((names) => names.length === 0) ? undefined : missing
}

/** A server must not choose where files are written on this machine. */
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
    contexts: access.contexts.filter((context) => !allowed.contexts.includes(context)),
  }
}

/** The names, and the options that allow them. */
function describeAccess({ env, hosts, contexts }: ProfileAccess) {
  const options = [
    ...env.map((each) => `--allow-env ${each}`),
    ...hosts.map((each) => `--allow-host ${each}`),
    ...contexts.map((each) => `--allow-context ${each}`),
  ]
  const what = [...env, ...hosts, ...contexts.map((each) => `the Kubernetes context ${each}`)]
  return { what: what.join(', '), options: options.join(' ') }
}

function refused({ name }: Profile, url: string, missing: ProfileAccess): ReltError {
  const { what, options } = describeAccess(missing)
  return new ReltError('usage', `The profile ${name} of ${url} needs access that is not allowed: ${what}.`, {
    hint: `If you trust the server, add ${options}`,
  })
}
