import type { ScanCommand } from '../contract/cluster-config.ts'
import { configurationFile, needsConfigurationFile } from './config-file.ts'
import { containerEnvironment, containerWords, hasContainer } from './container.ts'
import { containerCredentialsFor, credentialsFor } from './credentials.ts'
import { nativeArguments } from './native.ts'
import { powershellLine, powershellLines, programLine } from './powershell.ts'
import type { Profile } from './profile.ts'
import { remarksOn } from './remarks.ts'
import { shellLine } from './shell.ts'
import { withServer } from './upload.ts'

/**
 * Commands to copy: the native and the container's one for a POSIX shell. Settings that only the configuration file supports
 * are passed by its path; the file must be in the folder where the command runs. `server` is the URL of the profile's
 * server, if any. Throws like `checkProfile`.
 */
export function generateCommands(given: Profile, server?: string): ScanCommand {
  const profile = withServer(given, server)
  const { filename } = configurationFile(profile)
  const configPath = needsConfigurationFile(profile) ? filename : undefined
  const inContainer = hasContainer(profile)
  const variables = containerEnvironment(profile, { configPath })
  return {
    powershell_command: powershellLine(profile, { configPath }),
    powershell_multiline: powershellLines(profile, { configPath }),
    docker_command: inContainer ? shellLine(['docker', ...containerWords(profile, configPath)]) : null,
    docker_powershell_command: inContainer ? programLine(['docker', ...containerWords(profile, configPath)]) : null,
    docker_env: inContainer ? variables.map((variable) => shellLine(['-e', variable])).join('\n') : '',
    native_command: shellLine(['kubebuddy', ...nativeArguments(profile, { configPath })]),
    yaml_filename: filename,
    credential_variables: credentialsFor(profile),
    container_credential_variables: inContainer ? containerCredentialsFor(profile) : [],
    warnings: warningsFor(profile, configPath),
  }
}

function warningsFor(profile: Profile, configPath: string | undefined) {
  const { provider, settings } = profile
  const warnings = remarksOn(profile)
  if (configPath) {
    warnings.push(
      `Save the configuration file as ${configPath} where the command runs: the scanner does not report that it is missing.`,
    )
  }
  if ((provider === 'aks' || provider === 'gke') && !settings[provider]) {
    warnings.push(`The profile has no settings.${provider}: the checks of ${provider.toUpperCase()} are left out.`)
  }
  if (!hasContainer(profile)) {
    warnings.push('The container has no settings for GKE: use the native scanner or PowerShell.')
  }
  return warnings
}
