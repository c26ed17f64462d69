import type { Client } from '../../src/client/client.ts'
import type { RouteInput, RouteName } from '../../src/contract/routes.ts'
import { ReltError } from '../../src/errors.ts'
import { smallReports } from '../helpers/small-store.ts'

/** What a call came to, with what is random masked. */
export interface Outcome {
  name: RouteName
  answer?: unknown
  error?: { code: string; message: string; params: Record<string, string> | undefined }
}

const report = (index: number) => Buffer.from(JSON.stringify(smallReports[index]))

/** Every noun's calls, in an order in which they say something, right and wrong ones. */
export async function callEverything(client: Client): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  // biome-ignore lint/suspicious/noExplicitAny: the script reads ids out of answers of every shape
  async function call<N extends RouteName>(name: N, input: RouteInput<N>): Promise<any> {
    try {
      const answer = await client.call(name, input)
      outcomes.push({ name, answer: masked(answer) })
      return answer
    } catch (error) {
      if (!(error instanceof ReltError)) throw error
      const { code, message, params } = error
      outcomes.push({ name, error: { code, message: withoutIds(message), params } })
      return undefined
    }
  }

  const found = await call('listProjects', { query: { search: 'argo', per_page: 5, include_releases: true } })
  const [argo, workflows] = found.items
  await call('listProjects', { query: { per_page: 0 } })
  await call('listProjects', { query: { cncf_status: 'graduated', page: 2, per_page: 2 } })
  await call('getProject', { params: { id: String(argo.id) } })
  await call('getProduct', { params: { id: '999' } })
  await call('getProject', { params: { id: 'a/b?c#d%2e é' } })
  await call('listReleases', { params: { id: String(argo.id) }, query: { type: 'helm' } })
  await call('getRecentReleases', { query: { limit: 20, security_only: false } })
  await call('getPopularProjects', {})
  await call('getStats', {})
  await call('addRelease', { body: { product_id: argo.id, version: 'v9', type: 'app' } })
  await call('syncProjects', { body: { projects: [] } })
  await call('listExistingReleases', {})

  const first = await call('toggleSubscription', { body: { product_id: argo.id } })
  await call('toggleSubscription', { body: { product_id: workflows.id } })
  await call('toggleSubscription', { body: { product_id: workflows.id } })
  await call('toggleSubscription', { body: { product_id: 999 } })
  await call('getMySubscriptions', {})
  const subscription_id = first.subscription_id as number
  await call('updateSettings', {
    body: { subscription_id, email_frequency: 'weekly', release_types_filter: 'app,helm' },
  })
  await call('updateSettings', { body: { subscription_id, slack_webhook: 'ftp://x' } })
  await call('updateAccountSettings', { body: { generic_webhook: 'https://hooks.example/a/b' } })
  await call('listSubscriptions', {})
  await call('getFeed', { query: { days: 60 } })
  await call('getDashboard', {})
  await call('getDashboardActivity', { query: { days: 60 } })
  await call('getDashboardLogs', {})
  await call('getPopularProjects', { query: { limit: 1 } })

  const label = await call('createLabel', { body: { label_name: 'größe ✓', label_color: '#1f6feb' } })
  await call('createLabel', { body: { label_name: '', label_color: 'blue' } })
  await call('attachLabels', {
    params: { subscription_id: String(subscription_id) },
    body: { label_ids: [label.label_id] },
  })
  await call('updateLabel', {
    params: { id: String(label.label_id) },
    body: { label_name: 'core', label_color: '#000000' },
  })
  await call('listLabels', {})
  await call('detachLabel', { params: { subscription_id: String(subscription_id), label_id: String(label.label_id) } })
  await call('deleteLabel', { params: { id: String(label.label_id) } })
  await call('deleteLabel', { params: { id: 'x' } })

  const key = await call('createKey', { body: { name: 'CI' } })
  await call('createKey', { body: {} as never })
  await call('revokeKey', { params: { uuid: key.item.uuid } })
  await call('revokeKey', { params: { uuid: key.item.uuid } })

  const body = {
    name: 'shop',
    cluster_name: 'shop-prod',
    provider: 'aks' as const,
    settings: { excluded_checks: ['SEC001'] },
  }
  const config = await call('createConfig', { body })
  const config_id = config.config_id as string
  await call('updateConfig', { params: { config_id }, body: { notes: 'two\nlines' } })
  await call('getConfig', { params: { config_id } })
  await call('getConfigCommand', { params: { config_id } })
  await call('getConfigFile', { params: { config_id } })
  await call('listConfigs', {})
  await call('createConfig', { body: { name: 'x', provider: 'nowhere' as never } })

  const runs: string[] = []
  for (const index of [0, 1, 2]) runs.push((await call('uploadReport', { body: {}, report: report(index) })).run_id)
  await call('uploadReport', { body: {}, report: report(2) })
  await call('uploadReport', { body: {}, report: Buffer.from('{"checks": ') })
  await call('uploadReport', { body: {}, report: Buffer.from('{}') })
  await call('uploadReport', {
    body: { environment: 'test', cluster: { name: 'other' }, ci: { branch: 'main' } },
    report: report(0),
  })
  await call('listReports', { query: { cluster_name: 'shop-prod' } })
  await call('compareReports', { query: { to_run_id: runs[2] } })
  await call('compareReports', { query: { to_run_id: runs[0] } })
  await call('reportTrends', { query: { window_days: 30 } })
  await call('reportTrends', { query: { group_by_cluster: true } })
  await call('getReport', { params: { run_id: runs[1]! }, query: { include_report: true } })
  await call('reportFreshness', { params: { run_id: runs[2]! }, query: { explain: true } })
  await call('listBootstrapCandidates', {})
  await call('bootstrapConfigs', { body: { cluster_names: ['shop-prod', 'other'] } })
  await call('deleteConfig', { params: { config_id } })
  await call('deleteReport', { params: { run_id: runs[0]! } })
  await call('getReport', { params: { run_id: runs[0]! } })
  return outcomes
}

/** The users of the two stores differ, and ids are random. */
function masked(answer: unknown): unknown {
  const users = new Set(['made_by', 'user_id', 'user_login', 'user_email', 'password', 'uuid'])
  return JSON.parse(
    JSON.stringify(answer, (key, value) => (users.has(key) ? '*' : value)),
    (_, value) => (typeof value === 'string' ? withoutIds(value) : value),
  )
}

function withoutIds(text: string): string {
  return text.replace(/\b(crun_|ccfg_)[\w-]+/g, '$1*').replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '*')
}
