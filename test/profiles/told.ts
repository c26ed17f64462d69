import type { Profile } from '../../src/profiles/profile.ts'

type Told = Record<string, true | string | string[]>

/** The scanner's own names of its settings: native flag, PowerShell parameter, container variable. */
const names: [flag: string, parameter: string, variable?: string][] = [
  ['html-report', 'HtmlReport', 'HTML_REPORT'],
  ['json-report', 'jsonReport', 'JSON_REPORT'],
  ['txt-report', 'txtReport', 'TXT_REPORT'],
  ['csv-report', 'CsvReport', 'CSV_REPORT'],
  ['output-path', 'outputpath'],
  ['yes', 'yes'],
  ['config-path', 'ConfigPath', 'KUBEBUDDY_CONFIG_PATH'],
  ['exclude-namespaces', 'ExcludeNamespaces', 'EXCLUDE_NAMESPACES'],
  ['additional-excluded-namespaces', 'AdditionalExcludedNamespaces', 'ADDITIONAL_EXCLUDED_NAMESPACES'],
  ['excluded-checks', 'ExcludedChecks', 'EXCLUDED_CHECKS'],
  ['aks', 'Aks', 'AKS_MODE'],
  ['subscription-id', 'SubscriptionId', 'SUBSCRIPTION_ID'],
  ['resource-group', 'ResourceGroup', 'RESOURCE_GROUP'],
  ['cluster-name', 'ClusterName', 'CLUSTER_NAME'],
  ['use-aks-rest-api', 'UseAksRestApi', 'USE_AKS_REST_API'],
  ['gke', 'Gke'],
  ['project-id', 'ProjectId'],
  ['location', 'Location'],
  ['include-prometheus', 'IncludePrometheus', 'INCLUDE_PROMETHEUS'],
  ['prometheus-url', 'PrometheusUrl', 'PROMETHEUS_URL'],
  ['prometheus-mode', 'PrometheusMode', 'PROMETHEUS_MODE'],
  ['prometheus-bearer-token-env', 'PrometheusBearerTokenEnv', 'PROMETHEUS_BEARER_TOKEN_ENV'],
  ['radar-upload', 'RadarUpload', 'RADAR_UPLOAD'],
  ['radar-compare', 'RadarCompare', 'RADAR_COMPARE'],
  ['radar-fetch-config', 'RadarFetchConfig', 'RADAR_FETCH_CONFIG'],
  ['radar-config-id', 'RadarConfigId', 'RADAR_CONFIG_ID'],
  ['radar-api-base-url', 'RadarApiBaseUrl', 'RADAR_API_BASE_URL'],
  ['radar-environment', 'RadarEnvironment', 'RADAR_ENVIRONMENT'],
  ['radar-api-user-env', 'RadarApiUserEnv', 'RADAR_API_USER_ENV'],
  ['radar-api-secret-env', 'RadarApiSecretEnv', 'RADAR_API_SECRET_ENV'],
]

/** The profile whose `radar` names a server, its own or the one it comes from; else it has none. */
export function addressed(profile: Profile, server: string | undefined): Profile {
  const { radar, ...settings } = profile.settings
  const api_base_url = radar?.api_base_url ?? server
  return { ...profile, settings: { ...settings, ...(radar && api_base_url && { radar: { ...radar, api_base_url } }) } }
}

/** What a profile tells the native scanner, read off the profile by hand; switches that are off are absent. */
export function toldNative(profile: Profile, yamlFilename: string): Told {
  const { provider, settings, cluster_name, config_id } = profile
  const { output = {}, prometheus, radar, aks, gke, eks } = settings
  const sends = radar?.upload || radar?.compare
  const inFile = [settings.thresholds, settings.excluded_namespaces, settings.trusted_registries]
  const numbers = [radar?.upload_timeout_seconds, radar?.upload_retries]
  const needsFile = [...inFile, ...numbers].some((value) => value !== undefined) && !radar?.fetch_config
  return given({
    'html-report': output.htmlReport,
    'json-report': output.jsonReport || sends || !(output.htmlReport || output.txtReport || output.csvReport),
    'txt-report': output.txtReport,
    'csv-report': output.csvReport,
    'output-path': output.outputPath,
    yes: output.yes,
    'config-path': needsFile && yamlFilename,
    'exclude-namespaces': output.excludeNamespaces,
    'additional-excluded-namespaces': output.additionalExcludedNamespaces,
    'excluded-checks': settings.excluded_checks,
    'cluster-name': (provider === 'eks' && eks?.clusterName) || cluster_name,
    ...(provider === 'aks' &&
      aks && {
        aks: true,
        'subscription-id': aks.subscriptionId,
        'resource-group': aks.resourceGroup,
        'cluster-name': aks.clusterName,
        'use-aks-rest-api': aks.useAksRestApi,
      }),
    ...(provider === 'gke' &&
      gke && { gke: true, 'project-id': gke.projectId, location: gke.location, 'cluster-name': gke.clusterName }),
    ...(prometheus?.enabled && {
      'include-prometheus': true,
      'prometheus-url': prometheus.url,
      'prometheus-mode': prometheus.mode,
      'prometheus-bearer-token-env': prometheus.bearerTokenEnv,
    }),
    ...((sends || radar?.fetch_config) && {
      'radar-upload': radar?.upload,
      'radar-compare': radar?.compare,
      'radar-fetch-config': radar?.fetch_config,
      'radar-config-id': radar?.fetch_config && config_id,
      'radar-api-base-url': radar?.api_base_url,
      'radar-environment': radar?.environment,
      'radar-api-user-env': radar?.api_user_env,
      'radar-api-secret-env': radar?.api_password_env,
    }),
  })
}

export function toldPowershell(profile: Profile, yamlFilename: string): Told {
  const told = toldNative(profile, yamlFilename)
  return given(Object.fromEntries(names.map(([flag, parameter]) => [parameter, told[flag]])))
}

/** The environment of the container; a credential's value is `value of NAME`. */
export function toldContainer(profile: Profile, yamlFilename: string): Record<string, string> {
  const told = toldNative(profile, yamlFilename)
  const { prometheus, radar, aks } = profile.settings
  const asks = told['include-prometheus']
  const credentials = [
    ...(radar?.upload || radar?.compare || radar?.fetch_config
      ? [radar.api_user_env || 'KUBEBUDDY_RADAR_API_USER', radar.api_password_env || 'KUBEBUDDY_RADAR_API_PASSWORD']
      : []),
    ...(asks && prometheus?.mode === 'basic' ? ['PROMETHEUS_USERNAME', 'PROMETHEUS_PASSWORD'] : []),
    ...(asks && prometheus?.bearerTokenEnv ? [prometheus.bearerTokenEnv] : []),
    ...((profile.provider === 'aks' && aks) || (asks && prometheus?.mode === 'azure')
      ? ['AZURE_CLIENT_ID', 'AZURE_CLIENT_SECRET', 'AZURE_TENANT_ID']
      : []),
  ]
  const variables = names.flatMap(([flag, , variable]) => {
    const value = told[flag]
    if (!variable || value === undefined) return []
    return [[variable, flag === 'config-path' ? '/app/kubebuddy-config.yaml' : String(value)]]
  })
  return {
    ...Object.fromEntries(variables),
    ...Object.fromEntries(credentials.map((name) => [name, `value of ${name}`])),
    KUBECONFIG: '/home/kubeuser/.kube/config',
  }
}

/** Every variable a line of the container may take from its caller. */
export const callersVariables = (told: Record<string, string>): string[] =>
  Object.entries(told).flatMap(([name, value]) => (value === `value of ${name}` ? [name] : []))

function given(values: Record<string, unknown>): Told {
  const entries = Object.entries(values).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value))
  return Object.fromEntries(entries) as Told
}
