import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KubeCluster } from '../../src/kube/cluster.ts'
import { splitChart } from '../../src/scan/helm-labels.ts'
import { readRelease } from '../../src/scan/helm-release.ts'
import type { InventoryImage } from '../../src/scan/inventory.ts'
import { InventoryBuilder } from '../../src/scan/inventory-builder.ts'
import { takeInventory } from '../../src/scan/take-inventory.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { makePrograms } from '../helpers/programs.ts'
import { cronJob, deployment, job, pod, releaseSecret, wholeCluster, writeCluster } from './cluster.ts'

function build(objects: unknown[], excluded: string[] = []) {
  const builder = new InventoryBuilder(excluded)
  for (const object of objects) builder.add(object)
  return builder.finish()
}

const told = ({ workloadKind, workloadName, fullRef }: InventoryImage) => `${workloadKind}/${workloadName} ${fullRef}`

describe('whose image it is', () => {
  const web = deployment('web', ['nginx:1.27.3'])

  test("a ReplicaSet's pod is its Deployment's", () => {
    const { images } = build([web, pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web' })])
    expect(images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
  })

  test("a Job's pod is its CronJob's, and the CronJob stands for its Jobs", () => {
    const { images } = build([
      cronJob('backup', ['restic:0.17.1']),
      job('backup-29000', ['restic:0.17.0'], 'backup'),
      pod('backup-29000-x', ['restic:0.17.0'], { owner: { kind: 'Job', name: 'backup-29000' } }),
    ])
    expect(images.map(told)).toEqual(['CronJob/backup restic:0.17.0'])
  })

  test("a Job's pod is its CronJob's where neither could be read, and where the Job could not", () => {
    const owner = { kind: 'Job', name: 'backup-29000123' }
    const running = pod('backup-29000123-x', ['restic:0.17.0'], { owner })
    const images = (...objects: unknown[]) => build([...objects, running]).images.map(told)
    expect(images(cronJob('backup', ['restic:0.17.1']))).toEqual(['CronJob/backup restic:0.17.0'])
    expect(images(job('backup-29000123', ['restic:0.17.0'], 'backup'))).toEqual(['CronJob/backup restic:0.17.0'])
    expect(images()).toEqual(['Job/backup-29000123 restic:0.17.0'])
    const ended = [1, 2].map((i) => job(`backup-2900012${i}`, ['restic:0.17.0'], 'backup'))
    expect(build(ended).images.map(told)).toEqual(['CronJob/backup restic:0.17.0'])
  })

  test("a listed ReplicaSet is its Deployment's, and what it ran before is not listed", () => {
    const replicaSet = (name: string, image: string, owner?: string) => ({
      ...deployment(name, [image]),
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace: 'shop',
        ...(owner && { ownerReferences: [{ kind: 'Deployment', name: owner, controller: true }] }),
      },
    })
    const running = pod('web-7c5dd-a', ['nginx:1.27.3'], { owner: { kind: 'ReplicaSet', name: 'web-7c5dd' } })
    const sets = [replicaSet('web-7c5dd', 'nginx:1.27.3', 'web'), replicaSet('web-5f6bb', 'nginx:1.20.0', 'web')]
    expect(build([web, ...sets, running]).images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
    expect(build([...sets, running]).images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
    expect(build([replicaSet('bare', 'nginx:1.20.0')]).images.map(told)).toEqual(['ReplicaSet/bare nginx:1.20.0'])
  })

  test('a pod without owner is a workload of its own', () => {
    expect(build([pod('debug', ['busybox'])]).images.map(told)).toEqual(['Pod/debug busybox'])
  })

  test('a workload that could not be read is known by its pods', () => {
    const { images } = build([pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web' })])
    expect(images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
  })

  test('what pods run goes before the template, sidecars included', () => {
    const { images } = build([
      web,
      pod('web-65cc8855c-a', ['nginx:1.27.4', 'istio/proxyv2:1.24.1'], { deployment: 'web' }),
    ])
    expect(images.map(told)).toEqual(['Deployment/web nginx:1.27.4', 'Deployment/web istio/proxyv2:1.24.1'])
  })

  test.each(['Succeeded', 'Failed'])('a pod that has %s runs nothing, and the template stands', (phase) => {
    const { images } = build([web, pod('web-65cc8855c-a', ['nginx:1.20.0'], { deployment: 'web', phase })])
    expect(images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
  })

  test('a workload that is scaled to nothing has the images of its template', () => {
    expect(build([web]).images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
  })

  test('images of volumes, of ephemeral containers and of a ReplicationController without pods are seen', () => {
    const debugged = pod('debug', ['busybox:1'])
    const { images } = build([
      {
        ...debugged,
        spec: {
          ...debugged.spec,
          ephemeralContainers: [{ name: 'd', image: 'netshoot:0.13' }],
          volumes: [
            { name: 'models', image: { reference: 'quay.io/models/llm:v2' } },
            { name: 'x', emptyDir: {} },
          ],
        },
      },
      {
        kind: 'ReplicationController',
        metadata: { name: 'old', namespace: 'shop' },
        spec: { ...deployment('old', ['a:1']).spec },
      },
    ])
    expect(images.map(told)).toEqual([
      'Pod/debug busybox:1',
      'Pod/debug netshoot:0.13',
      'Pod/debug quay.io/models/llm:v2',
      'ReplicationController/old a:1',
    ])
  })

  test('many pods of a workload are one image', () => {
    const pods = [1, 2, 3].map((i) => pod(`web-65cc8855c-${i}`, ['nginx:1.27.3'], { deployment: 'web' }))
    expect(build([web, ...pods]).images.length).toBe(1)
  })
})

test('the digest comes from the status of a pod', () => {
  const digest = `sha256:${'a'.repeat(64)}`
  const running = pod('debug', ['registry.example:5000/team/app:1.4'], { imageIds: [`docker-pullable://x@${digest}`] })
  expect(build([running]).images).toMatchObject([{ name: 'registry.example:5000/team/app', tag: '1.4', digest }])
})

test('excluded namespaces are left out', () => {
  const { images } = build([pod('a', ['x:1'], { namespace: 'kube-system' }), pod('b', ['y:1'])], ['kube-system'])
  expect(images.map(told)).toEqual(['Pod/b y:1'])
})

describe('charts', () => {
  const helm = {
    labels: {
      'helm.sh/chart': 'argo-cd-7.3.4',
      'app.kubernetes.io/managed-by': 'Helm',
      'app.kubernetes.io/part-of': 'argocd',
    },
    annotations: { 'meta.helm.sh/release-name': 'argocd', 'meta.helm.sh/release-namespace': 'shop' },
  }

  test('are read from labels and annotations', () => {
    const { images, helmCharts } = build([deployment('server', ['quay.io/argoproj/argocd:v2.11.4'], helm)])
    expect(images).toMatchObject([
      { managedByHelm: true, helmChartName: 'argo-cd', helmReleaseName: 'argocd', managedBy: 'Helm', toPart: 'argocd' },
    ])
    expect(helmCharts).toEqual([
      {
        name: 'argo-cd',
        version: '7.3.4',
        releaseName: 'argocd',
        releaseNamespace: 'shop',
        workloadKind: 'Deployment',
        workloadName: 'server',
      },
    ])
  })

  test("the release's own record goes before a label", () => {
    const builder = new InventoryBuilder()
    builder.addRelease({ name: 'argocd', namespace: 'shop', chart: { name: 'argo-cd', version: '7.4.0' } })
    builder.add(deployment('server', ['argocd:v2'], helm))
    const { helmCharts } = builder.finish()
    expect(helmCharts.map(({ name, version }) => `${name} ${version}`)).toEqual(['argo-cd 7.4.0'])
  })

  test('of a release without workloads are known from its record', () => {
    const builder = new InventoryBuilder()
    builder.addRelease({ name: 'crds', namespace: 'shop', chart: { name: 'crds', version: '1.0.0' } })
    expect(builder.finish().helmCharts).toMatchObject([{ name: 'crds', releaseName: 'crds', workloadName: null }])
  })

  test.each([
    ['argo-cd-7.3.4', 'argo-cd', '7.3.4'],
    ['cert-manager-v1.14.4', 'cert-manager', 'v1.14.4'],
    ['app-2-web-1.2.3-rc.1', 'app-2-web', '1.2.3-rc.1'],
    ['tool-1.2.3_build.5', 'tool', '1.2.3+build.5'],
  ])('%s is a name and a version', (label, name, version) => {
    expect(splitChart(label)).toEqual({ name, version })
  })

  test.each(['argo-cd', '', '-1.2.3', undefined])('%s names no chart', (label) => {
    expect(splitChart(label)).toBeUndefined()
  })
})

describe("Helm's record of a release", () => {
  const record = {
    name: 'argocd',
    chart: { metadata: { name: 'argo-cd', version: '7.3.4' }, values: { password: 'x' } },
  }

  test('tells chart and release', () => {
    expect(readRelease(releaseSecret(record))).toEqual({
      name: 'argocd',
      namespace: 'shop',
      chart: { name: 'argo-cd', version: '7.3.4' },
    })
  })

  test.each<[string, unknown]>([
    ['another secret', { ...releaseSecret(record), type: 'Opaque' }],
    ['no gzip', { ...releaseSecret(record), data: { release: 'bm90aGluZw==' } }],
    ['no chart', releaseSecret({ name: 'argocd' })],
    ['a chart that is a text', releaseSecret({ name: 'argocd', chart: 'argo-cd' })],
    ['one that unpacks without end', bomb()],
  ])('%s tells nothing', (_, secret) => {
    expect(readRelease(secret)).toBeUndefined()
  })

  function bomb() {
    const packed = gzipSync(Buffer.concat([Buffer.from('{"name":"'), Buffer.alloc(40 * 1024 * 1024, 'x')])).toString(
      'base64',
    )
    return { ...releaseSecret(record), data: { release: Buffer.from(packed).toString('base64') } }
  }
})

test('whatever objects say, nothing is thrown and every image has a name', () => {
  const part = fc.jsonValue({ maxDepth: 3 })
  const object = fc.record(
    {
      kind: fc.constantFrom('Pod', 'Deployment', 'CronJob', 'Job', 'Other'),
      metadata: fc.oneof(
        part,
        fc.record({ name: fc.string(), labels: part, annotations: part, ownerReferences: part }),
      ),
      spec: fc.oneof(part, fc.record({ containers: part, template: part, jobTemplate: part })),
      status: part,
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(fc.array(fc.oneof(object, part)), (objects) => {
      for (const { fullRef, namespace } of build(objects).images) expect([fullRef, namespace]).not.toContain('')
    }),
  )
})

describe('asking the cluster', () => {
  function open(lists: Parameters<typeof writeCluster>[1], state: Parameters<typeof writeCluster>[2] = {}) {
    const home = temporaryFolder()
    writeCluster(join(home, 'cluster'), lists, state)
    return makePrograms(home, [])
  }
  const take = (env: Record<string, string>, patienceMs = 20_000, options = {}) =>
    takeInventory(new KubeCluster({ env, patienceMs }), options)
  const takeOf = (...given: Parameters<typeof open>) => take(open(...given).env)
  const all = wholeCluster({
    deployments: [deployment('web', ['nginx:1.27.3'])],
    pods: [pod('web-65cc8855c-ghk9m', ['nginx:1.27.3'], { deployment: 'web' })],
  })

  test('lists each kind', async () => {
    const { inventory, warnings } = await takeOf(all)
    expect(inventory.images.map(told)).toEqual(['Deployment/web nginx:1.27.3'])
    expect(warnings).toEqual([])
  })

  test('a kind that may not be read is a warning, and the rest is there', async () => {
    const { 'jobs.batch': _, ...rest } = all
    const { inventory, warnings } = await takeOf(rest)
    expect(inventory.images.length).toBe(1)
    expect(warnings).toEqual([expect.stringMatching(/^The inventory has no jobs.batch: .*forbidden/)])
  })

  test('when nothing may be read it fails with the reasons, each once', async () => {
    await expect(takeOf({})).rejects.toMatchObject({
      code: 'scan_failed',
      output: [expect.stringMatching(/^The inventory has no pods, replicasets.apps, .* is forbidden to list \*\./)],
    })
  })

  test('asks first whether secrets may be listed, so that no request is refused', async () => {
    const { env, requests } = open(all)
    await take(env)
    const asked = requests().filter((line) => !line.startsWith('200'))
    expect([...new Set(asked)]).toEqual(['201 POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews'])
  })

  test('reads the records of Helm where the account may', async () => {
    const metadata = { name: 'argo-cd', version: '7.3.4', appVersion: 'v2.11.5' }
    const secret = releaseSecret({ name: 'argocd', chart: { metadata } })
    const labelled = { ...secret, metadata: { ...secret.metadata, labels: { owner: 'helm', status: 'deployed' } } }
    const { inventory } = await takeOf({ ...all, secrets: [labelled] })
    expect(inventory.helmCharts).toMatchObject([{ name: 'argo-cd', version: '7.3.4', appVersion: 'v2.11.5' }])
  })

  test('reads the records of Helm in ConfigMaps', async () => {
    const record = { name: 'argocd', chart: { metadata: { name: 'argo-cd', version: '7.3.4' } } }
    const { metadata } = releaseSecret(record)
    const configMap = {
      kind: 'ConfigMap',
      metadata: { ...metadata, labels: { owner: 'helm', status: 'deployed' } },
      data: { release: gzipSync(JSON.stringify(record)).toString('base64') },
    }
    const other = { kind: 'ConfigMap', metadata: { name: 'x', namespace: 'shop' }, data: { release: 'H4sI' } }
    const { inventory } = await takeOf({ ...all, configmaps: [configMap, other] })
    expect(inventory.helmCharts).toMatchObject([{ name: 'argo-cd', version: '7.3.4', releaseNamespace: 'shop' }])
  })

  test('reads what git wants, and asks for nothing that is not there or not allowed', async () => {
    const wanted = {
      'applications.argoproj.io': [
        {
          metadata: { name: 'redis', namespace: 'argocd' },
          spec: { source: { chart: 'redis', targetRevision: '20.1.0', repoURL: 'https://charts.example' } },
        },
      ],
    }
    const { env, requests } = open({ ...all, ...wanted })
    const { inventory, warnings } = await take(env)
    expect({ wanted: inventory.wanted, warnings }).toMatchObject({
      wanted: [{ kind: 'Application', chart: 'redis', version: '20.1.0' }],
      warnings: [
        'The inventory has no applicationsets.argoproj.io: The account is forbidden to list applicationsets.argoproj.io.',
      ],
    })
    expect(requests().filter((line) => line.startsWith('403'))).toEqual([])
  })

  test('a list that the API server forgets on the way is read again', async () => {
    const pods = Array.from({ length: 1200 }, (_, i) => pod(`solo-${i}`, ['busybox:1']))
    const lists = { ...all, pods }
    const { inventory, warnings } = await takeOf(lists, { forgets: { pods: 2 } })
    expect({ images: inventory.images.length, warnings }).toEqual({ images: 1201, warnings: [] })
    const twice = await takeOf(lists, { forgets: { pods: 3 } })
    expect(twice.warnings).toEqual([expect.stringMatching(/^The inventory has no pods: .* too old/)])
    expect(twice.gap).toBe(twice.warnings[0])
  })

  test('waits for an API server that has too much to do', async () => {
    const { inventory, warnings } = await takeOf(all, { throttles: 2 })
    expect({ images: inventory.images.length, warnings }).toEqual({ images: 1, warnings: [] })
  })

  test('a kind that hangs leaves the others', async () => {
    const { inventory, warnings } = await take(open(all, { hangs: ['jobs.batch'] }).env, 500)
    expect(inventory.images).toHaveLength(1)
    expect(warnings).toEqual(['The inventory has no jobs.batch: No answer within 0.5 seconds.'])
  })

  test('of an account that may read some namespaces only, says which', async () => {
    const lists = { ...all, pods: [pod('a', ['x:1']), pod('b', ['y:1'], { namespace: 'pay' })] }
    const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['list'], namespaces: ['default', 'shop'] }]
    const found = await takeOf(lists, { rules })
    expect(found.namespaces).toEqual(['default'])
    expect(found.warnings[0]).toMatch(
      /^Only default could be read: listing pods .* forbidden\. Name more with --namespaces/,
    )
    const named = await take(open(lists, { rules }).env, 20_000, { namespaces: ['shop'] })
    expect(named.inventory.images.map(told)).toEqual(['Pod/a x:1', 'Deployment/web nginx:1.27.3'])
    expect(named.inventory.unread).toContainEqual({
      source: 'nodes',
      reason: 'The account is forbidden to list nodes.',
    })
  })

  test('finds the projects of an account of OpenShift', async () => {
    const projects = { group: 'project.openshift.io', version: 'v1', plural: 'projects', kind: 'Project' }
    const rules = [
      { apiGroups: ['*'], resources: ['*'], verbs: ['list'], namespaces: ['shop'] },
      { apiGroups: ['project.openshift.io'], resources: ['projects'], verbs: ['list'] },
    ]
    const lists = { ...all, 'projects.project.openshift.io': [{ metadata: { name: 'shop' } }] }
    const found = await takeOf(lists, { rules, resources: [{ ...projects, namespaced: false, typed: true }] })
    expect(found.namespaces).toEqual(['shop'])
    expect(found.inventory.images).toHaveLength(1)
  })

  test('without a cluster it says what to do', async () => {
    expect(() => new KubeCluster({ env: { HOME: temporaryFolder() } })).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringContaining('KUBECONFIG') }),
    )
  })
})

test('labels of workloads and namespaces say who is responsible', () => {
  const labelled = (object: { metadata: object }, labels: object, annotations = {}) => ({
    ...object,
    metadata: { ...object.metadata, labels, annotations },
  })
  const builder = new InventoryBuilder(['kube-system'])
  const namespaces: [string, object, object?][] = [
    ['shop', { 'example.com/team': 'shop-team', 'pod-security.kubernetes.io/enforce': 'baseline' }],
    ['pay', { team: 'ignored', owner: 'payments' }],
    ['docs', {}, { 'example.com/owner': 'docs@example.com' }],
    ['kube-system', { team: 'platform' }],
    ['free', { steam: 'x', 'example.com/owner-id': 'y' }],
  ]
  for (const [name, labels, annotations = {}] of namespaces) {
    builder.addNamespace({ kind: 'Namespace', metadata: { name, labels, annotations } })
  }
  builder.addNamespace('nothing')
  builder.add(labelled(deployment('web', ['nginx:1.27.3']), { team: 'web-team' }))
  builder.add(deployment('api', ['nginx:1.27.3']))
  const place = (namespace: string, owner: string) => ({ namespace, workloadKind: null, workloadName: null, owner })
  const { namespace } = deployment('web', []).metadata as { namespace: string }
  expect(builder.finish().ownerLabels).toEqual([
    place('shop', 'shop-team'),
    place('pay', 'payments'),
    place('docs', 'docs@example.com'),
    { namespace, workloadKind: 'Deployment', workloadName: 'web', owner: 'web-team' },
  ])
  expect(build([deployment('api', ['nginx:1.27.3'])]).ownerLabels).toBeUndefined()
})
