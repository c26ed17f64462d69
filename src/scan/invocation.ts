import { randomUUID } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ReltError } from '../errors.ts'
import {
  containerArguments,
  containerCredentialsFor,
  credentialsFor,
  nativeArguments,
  type Profile,
  powershellArguments,
  type ScannerReportFormat,
} from '../profiles/index.ts'
import { homeFolder } from '../util/home.ts'
import type { ScanEnv } from './environment.ts'
import type { RunnerName } from './runner-name.ts'

/** Absolute paths that the scanner reads and writes. */
export interface Places {
  outputPath: string
  configPath?: string | undefined
  formats: ScannerReportFormat[]
}

export interface Invocation {
  file: string
  args: string[]
  /** Names of variables with secret values. */
  credentials: string[]
  /** Arguments with which the program stops the scan, after it was killed itself. */
  stop?: string[]
}

interface Container {
  env: ScanEnv
  /** Tag of the scanner's image (default: KUBEBUDDY_TAG). */
  tag: string | undefined
}

/** The command line for a scan by profile. Throws `usage` for a container without a tag. */
export function toInvocation(
  { name, file }: { name: RunnerName; file: string },
  profile: Profile,
  places: Places,
  container: Container,
): Invocation {
  const options = { ...places, radar: false } as const
  switch (name) {
    case 'native':
      return { file, args: nativeArguments(profile, options), credentials: credentialsFor(profile, options) }
    case 'powershell':
      return { file, args: powershellArguments(profile, options), credentials: credentialsFor(profile, options) }
    default:
      return inContainer(file, profile, places, container)
  }
}

function inContainer(
  file: string,
  profile: Profile,
  places: Places,
  { env, tag = env.KUBEBUDDY_TAG }: Container,
): Invocation {
  // An unpinned scanner may change overnight.
  if (!tag) {
    throw new ReltError('usage', 'No scanner image tag is set.', {
      hint: 'Add --tag RELEASE, or set KUBEBUDDY_TAG.',
    })
  }
  openToContainer(places)
  const name = `relt-scan-${randomUUID()}`
  const kubeconfigPath =
    env.KUBECONFIG?.split(delimiter).find(Boolean) ??
    join(homeFolder(env, 'Set HOME or KUBECONFIG.'), '.kube', 'config')
  const options = { ...places, kubeconfigPath, tag, radar: false } as const
  const [run, ...rest] = containerArguments(profile, options) as [string, ...string[]]
  return {
    file,
    args: [run, '--name', name, ...rest],
    credentials: containerCredentialsFor(profile, options),
    // Killing the client leaves the container running.
    stop: ['stop', '-t', '5', name],
  }
}

/** The container runs as another user. The folder around the files stays private. */
function openToContainer({ outputPath, configPath }: Places) {
  chmodSync(outputPath, 0o777)
  if (configPath !== undefined) chmodSync(configPath, 0o644)
}
