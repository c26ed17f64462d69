import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openAdmin } from '../../../src/admin/admin.ts'
import { startServer } from '../../../src/server/serve.ts'
import { testNow } from '../../helpers/cli.ts'
import { createKey } from '../../helpers/create-key.ts'
import { makeSmallCatalog, smallReports } from '../../helpers/small-store.ts'
import { basic, Lines } from '../http.ts'
import { type Answer, ask, type Walk, type Who } from './walk.ts'

const password = 'correct horse battery'
const plans = { root: 'pro_plus', ada: 'pro_plus', eve: 'pro_plus', pat: 'pro', fay: 'pro' } as const

/** A server that listens, with the limits of the interface and five accounts. `whenDone` is given how to stop it. */
export async function openServer(
  more: Record<string, string> = {},
  whenDone: (stop: () => Promise<void>) => void = onTestFinished,
): Promise<Walk> {
  const home = mkdtempSync(join(tmpdir(), 'relt-test-'))
  await makeSmallCatalog(home)
  const noLimits = { RELT_RATE_LIMIT_USER: '0', RELT_RATE_LIMIT_ADDRESS: '0', RELT_PLAN_LIMITS: 'interface' }
  const env = { RELT_HOME: home, RELT_KEYCHAIN: 'off', RELT_DELIVERY: 'off', ...noLimits, ...more }
  const now = () => testNow
  const store = { env, now }
  const admin = await openAdmin(store)
  const signedIn: Walk['signedIn'] = { nobody: {}, root: {}, ada: {}, eve: {}, pat: {}, fay: {} }
  for (const [login, plan] of Object.entries(plans)) {
    const role = login === 'root' ? 'admin' : 'user'
    await admin.addUser({ login, email: `${login}@shop.example`, role, plan })
    signedIn[login as Who] = { authorization: basic(login, await createKey(store, login, { name: 'walk' })) }
  }
  // A key of an account whose plan has none any more.
  await admin.setPlan('fay', 'free')
  await admin.setPassword('fay', password)
  await admin.close()
  const options = { host: '127.0.0.1', port: 0, logLevel: 'silent' } as const
  const { url, stop } = await startServer(options, { env, stderr: new Lines(), now })
  whenDone(async () => {
    await stop(0)
    rmSync(home, { recursive: true })
  })
  return { url, signedIn, ids: {} }
}

/** One of everything that the rows read. */
export async function furnish(walk: Walk): Promise<void> {
  const { ids, signedIn } = walk
  const make = async (line: string, body: unknown, as: Who = 'ada'): Promise<Answer['body']> => {
    const answer = await ask(walk, { line: 0, says: '', ask: `POST ${line}`, as, body })
    if (answer.status >= 300) throw new Error(`${line}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const session = await fetch(`${walk.url}/api/relt/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'fay', password }),
  })
  const cookie = session.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  signedIn.fay = { cookie, 'x-wp-nonce': ((await session.json()) as { nonce: string }).nonce }
  await make('/sync-projects', { projects: [project, { name: 'Sixth', category: 'Other' }] }, 'root')
  const found = await ask(walk, { line: 0, says: '', ask: 'GET /projects?search=Argo%20CD' })
  ids.project = found.body.items[0].id
  const { items } = (await ask(walk, { line: 0, says: '', ask: 'GET /projects?per_page=6' })).body
  for (const [i, { id }] of items.entries()) ids[`listed${i}`] = id
  ids.next = (await ask(walk, { line: 0, says: '', ask: 'GET /projects?search=NGINX' })).body.items[0].id
  await make('/add-release', { ...release, product_id: ids.project }, 'root')
  ids.subscription = (await make('/toggle-sub', { product_id: ids.project })).subscription_id
  ids.label = (await make('/labels', { label_name: 'mine', label_color: '#1f6feb' })).label_id
  await make(`/subscriptions/${ids.subscription}/labels`, { label_ids: [ids.label] })
  for (const [i, report] of smallReports.entries()) ids[`run${i}`] = (await make('/cluster-reports', { report })).run_id
  ids.config = (await make('/cluster-configs', profile)).config_id
  await make('/test-notification', { subscription_id: ids.subscription, channel: 'slack' })
}

const project = {
  name: 'Argo CD',
  category: 'CI/CD',
  homepage: 'https://argoproj.example',
  docs_url: 'https://argoproj.example/docs',
  logo_url: 'https://argoproj.example/logo.svg',
}

const release = {
  version: 'v3.5.2',
  type: 'app',
  release_notes: '<p>Fixes CVE-2026-1000</p>',
  url: 'https://github.com/argoproj/argo-cd/releases/tag/v3.5.2',
  published_at: '2026-08-31 10:00:00',
  has_security_fix: true,
  security_severity: 'high',
  security_summary: 'A bypass',
  cve_list: ['CVE-2026-1000'],
  cve_links: ['https://cve.example/CVE-2026-1000'],
}

export const settings = {
  aks: { subscriptionId: 's', resourceGroup: 'rg', clusterName: 'c' },
  prometheus: { enabled: true, url: 'https://prometheus.example', mode: 'local' },
  output: { htmlReport: true, jsonReport: true, excludeNamespaces: true, yes: true },
  excluded_namespaces: ['kube-system'],
  excluded_checks: ['SEC014'],
  trusted_registries: ['registry.shop.example'],
  radar: { upload: true, compare: true },
}

export const profile = { name: 'Prod', cluster_name: 'shop-prod', provider: 'aks', notes: 'ours', settings }
