import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../helpers/cli.ts'
import { policyResources } from '../helpers/kubernetes/cluster-state.ts'
import { answerRequest, inCluster } from '../helpers/kubernetes/host.ts'
import { reltFile, start } from '../helpers/process.ts'
import { makePrograms } from '../helpers/programs.ts'
import { exampleFile, readReportFile } from '../helpers/report.ts'
import { canMakeCertificates, openTlsServer } from '../helpers/tls-server.ts'
import { deployment, pod, wholeCluster, writeCluster } from '../scan/cluster.ts'

const result = { policy: 'limits', rule: 'cpu', result: 'fail', severity: 'high' }
const limits = {
  metadata: { namespace: 'shop', name: 'web' },
  scope: { kind: 'Deployment', name: 'web', namespace: 'shop' },
  results: [result],
}

/**
 * A pod: no kubeconfig, the addresses that the kubelet sets, the token of a service account, and the environment, home and
 * volumes of the chart's agent.
 */
async function openPod() {
  const root = temporaryFolder()
  const [data, config, tmp] = ['data', 'etc', 'tmp'].map((name) => join(root, name)) as [string, string, string]
  for (const folder of [data, config]) mkdirSync(folder)
  const report = join(root, 'scanned.json')
  const { metadata, checks } = readReportFile(exampleFile(1))
  writeFileSync(report, JSON.stringify({ metadata, checks }))
  const account = join(root, 'serviceaccount')
  mkdirSync(account)
  const tokens = ['first', 'rotated']
  const { file, url } = await openTlsServer((request, response) => {
    const token = request.headers.authorization?.replace('Bearer ', '')
    if (!tokens.includes(token ?? '')) return response.writeHead(401).end()
    void answerRequest(join(root, 'cluster'), inCluster, request, response)
  })
  cpSync(file, join(account, 'ca.crt'))
  writeFileSync(join(account, 'namespace'), 'relt')
  const rotate = (token: string) => writeFileSync(join(account, 'token'), `${token}\n`)
  rotate('first')
  const fake = makePrograms(root, ['kubebuddy'], {
    ...{ RELT_HOME: data, RELT_KEYCHAIN: 'off', HOME: tmp },
    ...{
      KUBERNETES_SERVICE_HOST: '127.0.0.1',
      KUBERNETES_SERVICE_PORT: new URL(url).port,
      RELT_SERVICE_ACCOUNT: account,
    },
    FAKE_REPORT: report,
  })
  const running = wholeCluster({
    deployments: [deployment('web', ['nginx:1.27.3'])],
    pods: [pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web', containers: ['web'] })],
    'policyreports.wgpolicyk8s.io': [{ kind: 'PolicyReport', ...limits }],
  })
  writeCluster(join(root, 'cluster'), running, { context: inCluster, resources: policyResources })
  const run = (argv: string) => start(reltFile, argv.split(' '), fake.env).finished
  const json = async (argv: string) => JSON.parse((await run(`${argv} --json`)).stdout)
  return { config: join(config, 'agent.yaml'), run, json, fake, rotate }
}

test.skipIf(!canMakeCertificates)(
  'the agent in a pod collects, scans and takes inventories with the service account',
  async () => {
    const { config, run, json, fake, rotate } = await openPod()
    await run('profiles create prod')
    writeFileSync(
      config,
      `jobs:
  - {name: policies, every: 1h, collect: policy-reports, cluster: blue}
  - {name: nightly, every: 1h, profile: prod, cluster: blue}
  - {name: running, every: 1h, collect: inventory, cluster: green}
`,
    )
    rotate('rotated')
    for (const name of ['policies', 'nightly', 'running']) await run(`agent trigger ${name} --config ${config}`)
    expect(await run(`agent run --once --config ${config}`)).toMatchObject({ code: 0 })

    const { items } = await json('reports list --cluster blue')
    expect(await json('reports list --cluster green')).toMatchObject({ items: [{ format: 'inventory' }] })
    expect(items.map((item: { format: string }) => item.format).sort()).toEqual(['kubebuddy', 'policy-report'])
    const collected = await json('findings list --cluster blue --severity high')
    expect(collected.items).toMatchObject([{ check_id: 'limits/cpu', resource: 'deployment/web' }])
    // The report names no images: they come from the inventory.
    const freshness = await json('reports freshness --cluster blue')
    expect(freshness.items.map(({ current_version }: { current_version: string }) => current_version)).toContain(
      '1.27.3',
    )
    // The scanner uses the service account as kubectl does, while no kubeconfig is named.
    expect(fake.calls()).toMatchObject([
      { name: 'kubebuddy', environment: expect.arrayContaining(['KUBERNETES_SERVICE_HOST']) },
    ])
    expect(fake.calls()[0]!.environment).not.toContain('KUBECONFIG')
  },
)

test.skipIf(!canMakeCertificates)('a command in a pod takes an inventory with the service account', async () => {
  const { json } = await openPod()
  expect(await json('scan inventory')).toMatchObject({ images: [{ tag: '1.27.3' }] })
})

test.skipIf(!canMakeCertificates)('a context in a pod is looked for in a kubeconfig', async () => {
  const { run } = await openPod()
  expect(await run('scan inventory --context blue')).toMatchObject({
    stderr: expect.stringContaining('No kubeconfig has the context blue'),
  })
})
