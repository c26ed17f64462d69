import type { ClusterConfig, ScanSettings } from '../contract/cluster-config.ts'

/** A scan profile as the generators read it. */
export type Profile = Pick<ClusterConfig, 'name' | 'cluster_name' | 'provider' | 'settings'>

/** Names of the environment variables that hold the credentials; their values are never written anywhere. */
export const credentialNames = {
  upload: ['KUBEBUDDY_RADAR_API_USER', 'KUBEBUDDY_RADAR_API_PASSWORD'],
  aks: ['AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_TENANT_ID'],
} as const

/** One setting of a run: a switch, a text, or a list of texts. */
export type Setting = { name: SettingName; value: true | string | string[] }

export type SettingName =
  | 'htmlReport'
  | 'jsonReport'
  | 'txtReport'
  | 'csvReport'
  | 'yes'
  | 'excludeNamespaces'
  | 'additionalExcludedNamespaces'
  | 'excludedChecks'
  | 'aks'
  | 'gke'
  | 'subscriptionId'
  | 'resourceGroup'
  | 'projectId'
  | 'location'
  | 'clusterName'
  | 'useAksRestApi'
  | 'includePrometheus'
  | 'prometheusUrl'
  | 'prometheusMode'
  | 'prometheusBearerTokenEnv'
  | 'radarUpload'
  | 'radarCompare'
  | 'radarEnvironment'

/** What the scanner is told, in a fixed order. A run needs a report format: without one it is JSON. */
export function settingsOf({ provider, settings }: Profile): Setting[] {
  const list: Setting[] = []
  const add = (name: SettingName, value: boolean | string | string[] | undefined) => {
    if (value === undefined || value === false || value === '' || (Array.isArray(value) && value.length === 0)) return
    list.push({ name, value })
  }
  addOutput(add, settings)
  if (provider === 'aks' && settings.aks) addAks(add, settings.aks)
  if (provider === 'gke' && settings.gke) {
    const { projectId, location, clusterName } = settings.gke
    add('gke', true)
    add('projectId', projectId)
    add('location', location)
    add('clusterName', clusterName)
  }
  const { prometheus, radar } = settings
  if (prometheus?.enabled) {
    add('includePrometheus', true)
    add('prometheusUrl', prometheus.url)
    add('prometheusMode', prometheus.mode)
    add('prometheusBearerTokenEnv', prometheus.bearerTokenEnv)
  }
  add('radarUpload', radar?.upload)
  add('radarCompare', radar?.compare)
  if (radar?.upload) add('radarEnvironment', radar.environment)
  return list
}

type Add = (name: SettingName, value: boolean | string | string[] | undefined) => void

function addOutput(add: Add, { output, excluded_checks }: ScanSettings): void {
  const { htmlReport, jsonReport, txtReport, csvReport } = output ?? {}
  add('htmlReport', htmlReport)
  add('jsonReport', jsonReport || !(htmlReport || txtReport || csvReport))
  add('txtReport', txtReport)
  add('csvReport', csvReport)
  add('yes', output?.yes)
  add('excludeNamespaces', output?.excludeNamespaces)
  add('additionalExcludedNamespaces', output?.additionalExcludedNamespaces)
  add('excludedChecks', excluded_checks)
}

function addAks(add: Add, aks: NonNullable<ScanSettings['aks']>): void {
  add('aks', true)
  add('subscriptionId', aks.subscriptionId)
  add('resourceGroup', aks.resourceGroup)
  add('clusterName', aks.clusterName)
  add('useAksRestApi', aks.useAksRestApi)
}
