import { quoteShell } from '../util/quote-shell.ts'
import { containerCredentialsFor } from './credentials.ts'
import { quotePowershell } from './powershell.ts'
import type { Profile } from './profile.ts'
import { hasProviderChecks, type ProfileSettingName, type RunOptions, settingsFor } from './settings.ts'
import type { Word } from './shell.ts'

/** Container variables that are not just the setting's name in capitals; null if the container has none. */
const names: Partial<Record<ProfileSettingName, string | null>> = {
  aks: 'AKS_MODE',
  configPath: 'KUBEBUDDY_CONFIG_PATH',
  outputPath: null,
  yes: null,
  gke: null,
  projectId: null,
  location: null,
}

const image = 'ghcr.io/kubedeckio/kubebuddy'
/** The user's shell inserts the tag, or reports that it is missing: an unpinned scanner may change overnight. */
const imageOfCaller = {
  expression: [`"${image}:$`, '{KUBEBUDDY_TAG:?set it to the release to run}"'].join(''),
  powershell: `"${image}:$(if ($env:KUBEBUDDY_TAG) { $env:KUBEBUDDY_TAG } else { throw 'Set KUBEBUDDY_TAG to the release to run' })"`,
}
const configPathInside = '/app/kubebuddy-config.yaml'

export interface ContainerOptions extends RunOptions {
  /** Absolute paths on the host. */
  outputPath: string
  kubeconfigPath: string
  tag: string
}

/** Whether a container can run the profile: it ignores GKE settings, and would scan less than configured. */
export function hasContainer(profile: Profile) {
  return !hasProviderChecks(profile, 'gke')
}

/** Arguments of `docker`, or a compatible program. */
export function containerArguments(profile: Profile, options: ContainerOptions) {
  const { configPath, kubeconfigPath, outputPath, tag } = options
  return formatWords(containerEnvironment(profile, options), {
    kubeconfig: `${kubeconfigPath}:${kubeconfigInside}`,
    reports: `${outputPath}:/app/Reports`,
    config: configPath && configMount(csvField(`source=${configPath}`)),
    image: `${image}:${tag}`,
  }) as string[]
}

/** Words of a command line to copy: the shell resolves the kubeconfig and folders. */
export function containerWords(profile: Profile, configFile: string | undefined) {
  const { outputPath = 'Reports' } = profile.settings.output ?? {}
  return formatWords(containerEnvironment(profile, { configPath: configFile }), {
    kubeconfig: inBoth(`"$HOME/.kube/config:${kubeconfigInside}"`),
    reports: hostFolder(outputPath || 'Reports'),
    config: configFile && inBoth(`"${configMount(`source=$PWD/${configFile}`)}"`),
    image: imageOfCaller,
  })
}

/** `NAME=value`, but only the name for credentials, so that their values come from the user's environment. */
export function containerEnvironment(profile: Profile, options: RunOptions) {
  const settings = settingsFor(profile, { ...options, configPath: options.configPath && configPathInside })
  const variables = settings.flatMap(({ name, value }) => {
    const variable = toVariable(name)
    return variable ? [`${variable}=${value}`] : []
  })
  return [...variables, ...containerCredentialsFor(profile, options)]
}

/** A setting's variable inside the container. */
export function toVariable(name: ProfileSettingName) {
  const given = names[name]
  return given === undefined ? name.replace(/[A-Z]/g, '_$&').toUpperCase() : given
}

const kubeconfigInside = '/tmp/kubeconfig-original:ro'

function formatWords(
  environment: string[],
  places: { kubeconfig: Word; reports: Word; config: Word | undefined; image: Word },
) {
  const { kubeconfig, reports, config, image } = places
  return [
    'run',
    '--rm',
    ...[...environment, 'KUBECONFIG=/home/kubeuser/.kube/config'].flatMap((variable) => ['-e', variable]),
    '-v',
    kubeconfig,
    '-v',
    reports,
    // `--mount` fails for a missing file; `-v` would create a folder, which the scanner treats like no file.
    ...(config ? ['--mount', config] : []),
    image,
  ]
}

const configMount = (source: string) => `type=bind,${source},target=${configPathInside},readonly`

/** The value of `--mount` is a CSV record. */
const csvField = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** `$PWD` and `$HOME` exist in both shells. */
const inBoth = (expression: string): Word => ({ expression, powershell: expression })

/** Makes a relative folder a path, because `-v` would use it as a volume name. */
function hostFolder(path: string) {
  if (/^(\/|[A-Za-z]:[\\/])/.test(path)) return `${path}:/app/Reports`
  if (path === 'Reports') return inBoth('"$PWD/Reports:/app/Reports"')
  const rest = `${path}:/app/Reports`
  return { expression: `"$PWD"/${quoteShell(rest)}`, powershell: `("$PWD/" + ${quotePowershell(rest)})` }
}
