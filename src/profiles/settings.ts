import type { ScanSettings } from '../contract/scan-settings.ts'
import type { Profile } from './profile.ts'
import { contactsServer, type RadarWithServer, toRadar } from './upload.ts'

export type ScannerReportFormat = 'html' | 'json' | 'txt' | 'csv'

/** Choices of the caller that override the profile. */
export interface RunOptions {
  outputPath?: string | undefined
  configPath?: string | undefined
  formats?: ScannerReportFormat[] | undefined
  /** False: the caller uploads and compares itself, and has the configuration at hand. */
  radar?: false | undefined
}

/** One setting of a run: a switch, a text, or a list of texts. */
export type ProfileSetting = { name: ProfileSettingName; value: true | string | string[] }

export const settingNames = [
  'htmlReport',
  'jsonReport',
  'txtReport',
  'csvReport',
  'outputPath',
  'yes',
  'configPath',
  'excludeNamespaces',
  'additionalExcludedNamespaces',
  'excludedChecks',
  'aks',
  'gke',
  'subscriptionId',
  'resourceGroup',
  'projectId',
  'location',
  'clusterName',
  'useAksRestApi',
  'includePrometheus',
  'prometheusUrl',
  'prometheusMode',
  'prometheusBearerTokenEnv',
  'radarUpload',
  'radarCompare',
  'radarFetchConfig',
  'radarConfigId',
  'radarApiBaseUrl',
  'radarEnvironment',
  'radarApiUserEnv',
  'radarApiSecretEnv',
] as const
export type ProfileSettingName = (typeof settingNames)[number]

type Values = Partial<Record<ProfileSettingName, boolean | string | string[] | undefined>>

/** Settings for the scanner, in a fixed order. A run needs a report format; the default is JSON. */
export function settingsFor(profile: Profile, options: RunOptions = {}): ProfileSetting[] {
  const { settings } = profile
  const radar = options.radar === false ? undefined : toRadar(profile)
  const { prometheus } = settings
  // The scanner uploads its JSON output.
  const needsJson = radar?.upload === true || radar?.compare === true
  const values: Values = {
    ...outputValues(settings, options, needsJson),
    configPath: options.configPath,
    excludedChecks: settings.excluded_checks,
    ...clusterValues(profile),
    ...(prometheus?.enabled && {
      includePrometheus: true,
      prometheusUrl: prometheus.url,
      prometheusMode: prometheus.mode,
      prometheusBearerTokenEnv: prometheus.bearerTokenEnv,
    }),
    ...radarValues(radar, profile.config_id),
  }
  return settingNames.flatMap((name) => {
    const value = values[name]
    const isGiven = Array.isArray(value) ? value.length > 0 : value
    return isGiven ? [{ name, value: value as ProfileSetting['value'] }] : []
  })
}

/** Whether the scanner's own checks for this provider can run, because the profile identifies the cluster. */
export function hasProviderChecks({ provider, settings }: Profile, wanted: 'aks' | 'gke') {
  return provider === wanted && settings[wanted] !== undefined
}

function outputValues({ output = {} }: ScanSettings, { formats, outputPath }: RunOptions, json: boolean): Values {
  const wants = (format: ScannerReportFormat) => (formats ? formats.includes(format) : output[`${format}Report`])
  const others = wants('html') || wants('txt') || wants('csv')
  return {
    htmlReport: wants('html'),
    jsonReport: wants('json') || json || !others,
    txtReport: wants('txt'),
    csvReport: wants('csv'),
    outputPath: outputPath ?? output.outputPath,
    yes: output.yes,
    excludeNamespaces: output.excludeNamespaces,
    additionalExcludedNamespaces: output.additionalExcludedNamespaces,
  }
}

function clusterValues(profile: Profile): Values {
  const { cluster_name, settings } = profile
  if (hasProviderChecks(profile, 'aks')) return { aks: true, ...pick(settings.aks, aksFields) }
  if (hasProviderChecks(profile, 'gke')) return { gke: true, ...pick(settings.gke, gkeFields) }
  const name = profile.provider === 'eks' ? settings.eks?.clusterName : undefined
  return { clusterName: name || cluster_name }
}

const aksFields = ['subscriptionId', 'resourceGroup', 'clusterName', 'useAksRestApi'] as const
const gkeFields = ['projectId', 'location', 'clusterName'] as const

function pick<N extends ProfileSettingName>(
  block: { [K in N]?: string | boolean | undefined } = {},
  names: readonly N[],
) {
  return Object.fromEntries(names.map((name) => [name, block[name]])) as Values
}

function radarValues(radar: RadarWithServer | undefined, configId: string | undefined): Values {
  if (!radar || !contactsServer(radar)) return {}
  return {
    radarUpload: radar.upload,
    radarCompare: radar.compare,
    radarFetchConfig: radar.fetch_config,
    radarConfigId: radar.fetch_config ? configId : undefined,
    radarApiBaseUrl: radar.api_base_url,
    radarEnvironment: radar.environment,
    radarApiUserEnv: radar.api_user_env,
    radarApiSecretEnv: radar.api_password_env,
  }
}
