import type { Rows, Table } from './table.ts'
import {
  argument,
  boolean,
  choice,
  inQuery,
  integer,
  line,
  list,
  object,
  required,
  text,
  type Values,
  variable,
  words,
} from './values.ts'
import { complete, type World } from './world.ts'

type ConfigRoute =
  | 'listConfigs'
  | 'createConfig'
  | 'getConfig'
  | 'updateConfig'
  | 'deleteConfig'
  | 'getConfigCommand'
  | 'getConfigFile'
  | 'listBootstrapCandidates'
  | 'bootstrapConfigs'

const provider = 'aks|eks|gke|kubernetes'
const config = {
  config_id: /^ccfg_[A-Za-z0-9-]+$/,
  name: 'string',
  cluster_name: 'string',
  provider,
  notes: 'string',
  settings: 'anything',
  created_at: 'timestamp',
  updated_at: 'timestamp',
}

/** Items that say something; those with a comma are refused where commas stand between items. */
const names = (path: string, { commas = true } = {}): Record<string, Values> => {
  const { ok, bad } = argument(500)
  const item = { ok: ok.filter((value) => value !== ''), bad: ['', ' ', ...bad, ...(commas ? [] : ['a,b', 'a\rb'])] }
  return { [path]: list(1000, 'kube-system'), [`${path}.0`]: item }
}

/** An address without credentials. */
const url: Values = {
  ok: ['', 'http://x.example/', 'https://x.example/'.padEnd(2000, 'x')],
  bad: ['https://ada:secret@x.example/', 'https://x.example/'.padEnd(2001, 'x'), 'a\u0000b', 5, true, null, [], {}],
}

const many = (length: number) => Object.fromEntries(Array.from({ length }, (_, i) => [`t${i}`, i]))

const settings: Record<string, Values> = {
  settings: object,
  'settings.context': argument(500),
  'settings.aks': object,
  'settings.aks.subscriptionId': argument(500),
  'settings.aks.resourceGroup': argument(500),
  'settings.aks.clusterName': argument(500),
  'settings.aks.useAksRestApi': boolean,
  'settings.gke': object,
  'settings.gke.projectId': argument(500),
  'settings.gke.location': argument(500),
  'settings.gke.clusterName': argument(500),
  'settings.eks': object,
  'settings.eks.region': argument(500),
  'settings.eks.clusterName': argument(500),
  'settings.prometheus': object,
  'settings.prometheus.enabled': boolean,
  'settings.prometheus.url': url,
  'settings.prometheus.mode': choice('local', 'basic', 'bearer', 'azure', 'gcp'),
  'settings.prometheus.bearerTokenEnv': variable,
  'settings.output': object,
  'settings.output.htmlReport': boolean,
  'settings.output.jsonReport': boolean,
  'settings.output.txtReport': boolean,
  'settings.output.csvReport': boolean,
  'settings.output.excludeNamespaces': boolean,
  'settings.output.outputPath': { ...argument(500), bad: ['a:b', ...argument(500).bad] },
  ...names('settings.output.additionalExcludedNamespaces', { commas: false }),
  'settings.output.yes': boolean,
  'settings.thresholds': { ok: [{}, many(200)], bad: [many(201), ...object.bad] },
  'settings.thresholds.*': {
    ok: [0, -1, 0.5, 1e9, true, '', '80', 'x'.repeat(200)],
    bad: ['x'.repeat(201), 'a\u0000b', null, [], {}],
  },
  ...names('settings.excluded_namespaces'),
  ...names('settings.excluded_checks', { commas: false }),
  ...names('settings.trusted_registries'),
  'settings.radar': object,
  'settings.radar.upload': boolean,
  'settings.radar.compare': boolean,
  'settings.radar.environment': argument(500),
  'settings.radar.fetch_config': boolean,
  'settings.radar.api_base_url': url,
  'settings.radar.api_user_env': variable,
  'settings.radar.api_password_env': variable,
  'settings.radar.upload_timeout_seconds': integer(1, 3600),
  'settings.radar.upload_retries': integer(0, 20),
}

const fields: Record<string, Values> = {
  name: words(200),
  cluster_name: line(253),
  provider: choice('aks', 'eks', 'gke', 'kubernetes'),
  notes: text(10_000),
  ...settings,
}

const one: Rows['good'] = ({ ids }: World) => ({ params: { config_id: ids.config } })

export const clusterConfigTable: Table<ConfigRoute> = {
  listConfigs: {
    good: () => ({ query: { include: 'settings' } }),
    query: {
      page: inQuery.whole(1, 1_000_000),
      per_page: inQuery.whole(1, 100),
      include: { ok: ['settings'], bad: ['', 'all', 'SETTINGS'] },
    },
    answer: {
      success: 'true',
      items: [config],
      total: 'integer',
      // Beyond the contract.
      page: 'integer',
      per_page: 'integer',
      total_pages: 'integer',
    },
  },
  createConfig: {
    good: () => ({ body: { name: 'Staging', settings: complete } }),
    body: { ...fields, name: required(words(200)) },
    answer: { success: 'true', ...config },
  },
  getConfig: { good: one, answer: config },
  updateConfig: {
    good: ({ ids }) => ({ params: { config_id: ids.config }, body: { provider: 'kubernetes', settings: complete } }),
    body: fields,
    answer: { success: 'true', ...config },
  },
  deleteConfig: {
    good: async ({ makeConfig }) => ({ params: { config_id: await makeConfig() } }),
    answer: { success: 'true' },
  },
  getConfigCommand: {
    good: one,
    answer: {
      powershell_command: 'string',
      docker_env: 'string',
      yaml_filename: 'string',
      docker_command: 'string?',
      docker_powershell_command: 'string?',
      native_command: 'string',
      // Beyond the contract.
      powershell_multiline: 'string',
      credential_variables: ['string'],
      container_credential_variables: ['string'],
      warnings: 'anything',
    },
  },
  getConfigFile: {
    good: one,
    // `radar` is the configuration's own: its keys stand beside the file, where the scanner loads them from.
    answer: { filename: 'string', content: 'string', content_type: 'application/yaml', radar: 'anything' },
  },
  listBootstrapCandidates: {
    good: () => ({}),
    answer: {
      success: 'true',
      candidates: [
        {
          cluster_name: 'string',
          environment: 'string',
          provider,
          suggested_name: 'string',
          last_run_id: /^crun_/,
          last_seen_at: 'timestamp',
          already_configured: 'boolean',
        },
      ],
    },
  },
  bootstrapConfigs: {
    good: async ({ db, ids }) => {
      await db.deleteFrom('cluster_config').where('config_id', '!=', ids.config).execute()
      return { body: { cluster_names: ['shop', 'nowhere'] } }
    },
    body: {
      cluster_names: list(1000, 'shop'),
      'cluster_names.0': words(253),
      environment: line(100),
    },
    answer: { success: 'true', created: [config], skipped: [{ cluster_name: 'string', reason: 'string' }] },
  },
}
