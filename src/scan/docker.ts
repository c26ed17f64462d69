import { randomUUID } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { ReltError } from '../errors.ts'
import { containerArguments, containerCredentialsOf, type Profile } from '../profiles/index.ts'
import type { Env } from './environment.ts'
import type { Invocation, Places } from './runner.ts'

interface Container {
  env: Env
  /** Of the scanner's image. */
  tag: string | undefined
}

/** Throws `usage` without a tag: an unpinned scanner changes overnight. */
export function containerInvocation(
  file: string,
  profile: Profile,
  places: Places,
  { env, tag = env.KUBEBUDDY_TAG }: Container,
): Invocation {
  if (!tag) {
    throw new ReltError('usage', 'Which release of the scanner is to run as a container is not said.', {
      hint: 'Add --tag RELEASE, or set KUBEBUDDY_TAG.',
    })
  }
  const { outputPath, configPath, formats } = places
  openToContainer(places)
  const name = `relt-scan-${randomUUID()}`
  const kubeconfigPath =
    env.KUBECONFIG?.split(delimiter).find(Boolean) ?? join(env.HOME ?? homedir(), '.kube', 'config')
  const options = { outputPath, configPath, formats, kubeconfigPath, tag, radar: false } as const
  const [run, ...rest] = containerArguments(profile, options) as [string, ...string[]]
  return {
    file,
    args: [run, '--name', name, ...rest],
    credentials: containerCredentialsOf(profile, { radar: false }),
    // Ending the client leaves the container running.
    stop: ['stop', '-t', '5', name],
  }
}

/** The container's user is another one. The folder around these stays closed to all others of this machine. */
function openToContainer({ outputPath, configPath }: Places): void {
  chmodSync(outputPath, 0o777)
  if (configPath !== undefined) chmodSync(configPath, 0o644)
}
