import { credentialNames, type Profile, type SettingName, settingsOf } from './settings.ts'
import { quoteShell } from './shell.ts'

/** Container variables that are not simply the setting's name in capitals; null where the container has none. */
const names: Partial<Record<SettingName, string | null>> = {
  aks: 'AKS_MODE',
  yes: null,
  gke: null,
  projectId: null,
  location: null,
}

/** The caller's shell puts the tag in, or says that it is missing: an unpinned scanner changes overnight. */
const image = ['"ghcr.io/kubedeckio/kubebuddy:$', '{KUBEBUDDY_TAG:?set it to the release to run}"'].join('')

/** One `-e NAME='value'` a line. */
export function dockerEnv(profile: Profile): string {
  return variables(profile).join('\n')
}

/** One line for a POSIX shell. The tag is pinned by `KUBEBUDDY_TAG`. */
export function dockerCommand(profile: Profile): string {
  return [
    'docker run --rm',
    ...variables(profile),
    "-e KUBECONFIG='/home/kubeuser/.kube/config'",
    '-v "$HOME/.kube/config:/tmp/kubeconfig-original:ro"',
    '-v "$PWD/Reports:/app/Reports"',
    image,
  ].join(' ')
}

/** Settings with their values; credentials by name alone, so that the value comes from the caller's environment. */
function variables(profile: Profile): string[] {
  const settings = settingsOf(profile)
  const has = (name: SettingName) => settings.some((setting) => setting.name === name)
  return [
    ...settings.flatMap(({ name, value }) => {
      const variable = name in names ? names[name] : name.replace(/[A-Z]/g, '_$&').toUpperCase()
      if (!variable) return []
      return `-e ${variable}=${quoteShell(value === true ? 'true' : Array.isArray(value) ? value.join(',') : value)}`
    }),
    ...(has('radarUpload') ? credentialNames.upload.map((name) => `-e ${name}`) : []),
    ...(has('aks') ? credentialNames.aks.map((name) => `-e ${name}`) : []),
  ]
}
