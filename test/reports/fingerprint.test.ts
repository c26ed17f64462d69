import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fingerprinter } from '../../src/reports/fingerprint.ts'
import type { Item } from '../../src/reports/item.ts'
import { stableResource } from '../../src/reports/stable-name.ts'
import { stableText } from '../../src/reports/stable-text.ts'
import { growthOf } from '../helpers/growth.ts'
import { exampleFile, nativeReportFile } from '../helpers/report.ts'
import { findingsIn, indexOf, toChecks } from './scan.ts'

const fingerprint: Fingerprinter['of'] = (check, item) => new Fingerprinter().of(check, item)

interface Finding extends Partial<Item> {
  check?: string
}

function toFingerprint({ check = 'SEC001', ...item }: Finding): string {
  const bytes = fingerprint(check, {
    namespace: 'shop',
    resource: 'pod/web-0',
    message: 'is wrong',
    value: null,
    ...item,
  })
  return Buffer.from(bytes, 'latin1').toString('hex')
}

const resource = (name: string): Finding => ({ resource: name })
const message = (text: string): Finding => ({ message: text })
const value = (text: string): Finding => ({ value: text })

const toFindings = async (report: unknown) => findingsIn(await indexOf(toChecks(report)))

const uid = ['0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d', 'c30f2960-28f8-49cc-9308-c1e741824c4f'] as const
const digest = ['a'.repeat(64), `${'0123456789abcdef'.repeat(4)}`] as const

describe('a finding stays the same', () => {
  test.each<[string, Finding, Finding]>([
    ['a Deployment is rolled out', resource('pod/web-65cc8855c-ghk9m'), resource('pod/web-577s4nmqxh-6r6xt')],
    ['a Deployment gets another pod', resource('pod/web-65cc8855c-ghk9m'), resource('pod/web-65cc8855c-rzcxj')],
    ['a hash has letters only', resource('pod/web-dhtdtgthqx-zdskp'), resource('pod/web-65cc8855c-ghk9m')],
    ['a hash has digits only', resource('pod/web-5948456964-42456'), resource('pod/web-65cc8855c-ghk9m')],
    ['a hash is short', resource('pod/web-8d4f6b-ghk9m'), resource('pod/web-65cc8855c-ghk9m')],
    ['a pod is written as Pod', resource('Pod/web-65cc8855c-ghk9m'), resource('pod/web-65cc8855c-ghk9m')],
    ['a Deployment has dashes', resource('pod/a-b-c-65cc8855c-ghk9m'), resource('pod/a-b-c-577s4nmqxh-6r6xt')],
    ['a DaemonSet is rolled out', resource('pod/node-exporter-4ph65'), resource('pod/node-exporter-2tl8t')],
    ['a DaemonSet gets a pod without a digit', resource('pod/kube-proxy-xqzdk'), resource('pod/kube-proxy-4ph65')],
    ['a StatefulSet gets another pod', resource('pod/db-0'), resource('pod/db-1')],
    ['a machine gets another number', resource('pod/kube-apiserver-cp-1'), resource('pod/kube-apiserver-cp-2')],
    [
      'a field holds the name of the ReplicaSet',
      { resource: 'pod/web-65cc8855c-ghk9m', value: 'Deployment: web-65cc8855c' },
      { resource: 'pod/web-577s4nmqxh-6r6xt', value: 'Deployment: web-577s4nmqxh' },
    ],
    [
      'a field holds the name of the Job',
      { resource: 'pod/export-29741520-6r6xt', value: 'Whatever: export-29741520' },
      { resource: 'pod/export-29764560-ghk9m', value: 'Whatever: export-29764560' },
    ],
    ['a CronJob runs again', resource('job/export-29741520'), resource('job/export-29764560')],
    ['a pod of a CronJob runs again', resource('pod/export-29741520-6r6xt'), resource('pod/export-29764560-ghk9m')],
    ['a pod of a Job is retried', resource('pod/migrate-4ph65'), resource('pod/migrate-2tl8t')],
    ['a ReplicaSet is replaced', resource('replicaset/web-65cc8855c'), resource('replicaset/web-577s4nmqxh')],
    [
      'a ReplicaSet is written in capitals',
      resource('ReplicaSet/web-65cc8855c'),
      resource('replicaset/web-7d9f8b6c54'),
    ],
    ['events name a pod', message('Deleted pod: web-65cc8855c-ghk9m'), message('Deleted pod: web-577s4nmqxh-6r6xt')],
    [
      'the kubelet names a pod and its UID',
      message(`Back-off restarting failed container web in pod web-65cc8855c-ghk9m_shop(${uid[0]})`),
      message(`Back-off restarting failed container web in pod web-577s4nmqxh-6r6xt_shop(${uid[1]})`),
    ],
    [
      'the kubelet names a pod of a DaemonSet',
      {
        resource: 'Pod/fluent-bit-4ph65',
        message: `Back-off restarting failed container agent in pod fluent-bit-4ph65_shop(${uid[0]})`,
      },
      {
        resource: 'Pod/fluent-bit-2tl8t',
        message: `Back-off restarting failed container agent in pod fluent-bit-2tl8t_shop(${uid[1]})`,
      },
    ],
    [
      'a sentence names its Job',
      { resource: 'Job/export-29741520', message: 'Job export-29741520 gave up' },
      { resource: 'Job/export-29764560', message: 'Job export-29764560 gave up' },
    ],
    [
      'a quota keeps a ReplicaSet from making pods',
      {
        resource: 'ReplicaSet/web-65cc8855c',
        message: 'Error creating: pods "web-65cc8855c-ghk9m" is forbidden: exceeded quota: compute',
      },
      {
        resource: 'ReplicaSet/web-577s4nmqxh',
        message: 'Error creating: pods "web-577s4nmqxh-6r6xt" is forbidden: exceeded quota: compute',
      },
    ],
    [
      'admission keeps a ReplicaSet from making pods',
      {
        resource: 'ReplicaSet/web-65cc8855c',
        message: 'Error creating: pods "web-65cc8855c-" is forbidden: no service account',
      },
      {
        resource: 'ReplicaSet/web-577s4nmqxh',
        message: 'Error creating: pods "web-577s4nmqxh-" is forbidden: no service account',
      },
    ],
    [
      'a node of a scale set is replaced',
      resource('node/aks-user-39088964-vmss00000k'),
      resource('node/aks-user-11131071-vmss000002'),
    ],
    [
      'a node of GKE is replaced',
      resource('node/gke-prod-user-pool-37e8f62e-79p2'),
      resource('node/gke-prod-user-pool-c06485ca-9nvm'),
    ],
    ['a node of EKS is replaced', message('on ip-10-0-1-23.ec2.internal'), message('on ip-10-4-9-7.ec2.internal')],
    ['a node is named in a value', value('aks-a-39088964-vmss00000k'), value('aks-a-39088964-vmss00000l')],
    [
      'an event names a pod of a DaemonSet with its namespace',
      message('Back-off restarting failed container app in pod worker-core-47-x445s_shop'),
      message('Back-off restarting failed container app in pod worker-core-47-dqjhn_shop'),
    ],
    [
      'a pod stands behind a plural kind and in its value',
      { resource: 'pods/cache-x5h2q', value: 'cache-x5h2q cache registry.k8s.io/ingress-nginx/controller:v1.9.5' },
      { resource: 'pods/cache-9gpdn', value: 'cache-9gpdn cache registry.k8s.io/ingress-nginx/controller:v1.9.6' },
    ],
    ['a token volume is mounted', message('volume kube-api-access-x7z2k'), message('volume kube-api-access-9q4lm')],
    ['a container is named by its id', value(`containerd://${digest[0]}`), value(`containerd://${digest[1]}`)],
    ['amounts of kB change', message('writes 120 kB to the log'), message('writes 7 kB to the log')],
    ['pods restart', value('14'), value('347')],
    ['replicas come and go', value('0/1'), value('2/13')],
    ['shares change', value('82.73%'), value('9%')],
    ['amounts change', value('512Mi'), value('1.5Gi')],
    ['processor time changes', value('301 mC'), value('1500 mC')],
    ['a sentence counts', message('0/3 nodes are available: 3 node(s)'), message('2/5 nodes are available: 1 node(s)')],
    ['a sentence counts in thousands', message('restarted 1,204 times'), message('restarted 7 times')],
    ['a sentence measures', message('uses 84.00% of 14846 Mi'), message('uses 7% of 3Gi')],
    ['time passes', message('since 2026-04-15T09:40:41Z'), message('since 2026-08-19T04:38:20.123+02:00')],
    ['time passes in words of the wire', message('at 2026-04-15 09:40:41'), message('at 2026-08-19 04:38:20')],
    ['something takes longer', message('back-off 5m0s restarting'), message('back-off 10s restarting')],
    ['something takes an hour', message('no answer within 1.5s'), message('no answer within 1h30m')],
    ['a service has another address', message('Reachable at 203.0.113.24'), message('Reachable at 198.51.100.7')],
    [
      'a probe asks another pod',
      message('Get "http://10.244.1.23:8080/healthz": dial tcp 10.244.1.23:8080: connect: connection refused'),
      message('Get "http://10.244.0.9:8080/healthz": dial tcp 10.244.0.9:8080: connect: connection refused'),
    ],
    [
      'a probe asks another pod over IPv6',
      message(
        'Get "http://[fd00:10:244:1::1a]:8080/healthz": dial tcp [fd00:10:244:1::1a]:8080: connect: connection refused',
      ),
      message(
        'Get "http://[fd00:10:244:2::b]:8080/healthz": dial tcp [fd00:10:244:2::b]:8080: connect: connection refused',
      ),
    ],
    ['an image has another tag', value('nginx:1.27.3'), value('nginx:1.27.4-alpine')],
    ['an image loses its tag', value('busybox:latest'), value('busybox')],
    ['an image has another version', value('quay.io/argoproj/argocd:v3.4.8'), value('quay.io/argoproj/argocd:v3.5.1')],
    ['an image has another digest', value(`ghcr.io/a/b@sha256:${digest[0]}`), value(`ghcr.io/a/b@sha256:${digest[1]}`)],
    ['an image gets a digest', value(`ghcr.io/a/b:v1@sha256:${digest[0]}`), value('ghcr.io/a/b:v2')],
    ['an image of a registry with a port moves', value('registry:5000/a/b:v1'), value('registry:5000/a/b:v2')],
    [
      'a sentence names a digest',
      message(`image a/b@sha256:${digest[0]} is not signed`),
      message(`image a/b@sha256:${digest[1]} is not signed`),
    ],
    [
      'a sentence names a tag',
      message('Failed to pull image "ghcr.io/a/b:1.4.2": not found'),
      message('Failed to pull image "ghcr.io/a/b:1.5.0": not found'),
    ],
    [
      'a sentence names a tag with a v',
      message('Failed to pull image "ghcr.io/a/b:v1.4.2": not found'),
      message('Failed to pull image "ghcr.io/a/b:v1.5.0": not found'),
    ],
    [
      'a sentence names a tag with a suffix',
      message('Back-off pulling image "postgresql:17.6.0-debian-12-r4"'),
      message('Back-off pulling image "postgresql:17.7.0-debian-12-r0"'),
    ],
    ['an event names a pod by its UID', message(`no pod with UID ${uid[0]}`), message(`no pod with UID ${uid[1]}`)],
    [
      'a volume of a pod is named',
      message(`MountVolume failed for volume "pvc-${uid[0]}"`),
      message(`MountVolume failed for volume "pvc-${uid[1]}"`),
    ],
  ])('when %s', (_, a, b) => {
    expect(toFingerprint(a)).toBe(toFingerprint(b))
  })

  test('when its severity changes', async () => {
    const one = async (Severity: string) =>
      (await toFindings({ checks: { SEC001: { Severity, Items: { Message: 'm' } } } }))[0]!
    expect(await one('critical')).toMatchObject({ severity: 'critical', fingerprint: (await one('info')).fingerprint })
  })
})

describe('findings are told apart', () => {
  test.each<[string, Finding, Finding]>([
    ['pods of two StatefulSets', resource('pod/redis-master-0'), resource('pod/redis-replicas-0')],
    ['pods of sharded StatefulSets', resource('pod/db-0-1'), resource('pod/db-1-1')],
    ['debug pods of nodes', resource('pod/node-debugger-worker-1-4b5v9'), resource('pod/node-debugger-worker-2-4b5v9')],
    ['pods with names that are words', resource('pod/web-front'), resource('pod/web-admin')],
    ['pods with the same hash', resource('pod/web-65cc8855c-ghk9m'), resource('pod/api-65cc8855c-ghk9m')],
    ['a pod and its Deployment', resource('pod/web-65cc8855c-ghk9m'), resource('deployment/web')],
    ['Deployments that look like pods', resource('deployment/web-65cc8855c'), resource('deployment/web-577s4nmqxh')],
    ['Secrets of two years', resource('secret/tls-2025'), resource('secret/tls-2026')],
    [
      'nodes of two pools',
      resource('node/aks-user-39088964-vmss00000k'),
      resource('node/aks-system-39088964-vmss00000k'),
    ],
    ['ports', message('targetPort 8443 is not found'), message('targetPort 8080 is not found')],
    ['ports in values', value('443/TCP'), value('80/TCP')],
    ['ports by their key', value('Port: 80'), value('Port: 443')],
    ['ports of hosts', message('dial tcp 10.0.0.1:8080'), message('dial tcp 10.0.0.1:9090')],
    ['networks', value('10.0.0.0/8'), value('0.0.0.0/0')],
    ['exit codes', message('Container exited with code 1'), message('Container exited with code 137')],
    ['exit codes by their key', value('ExitCode: 1'), value('ExitCode: 137')],
    ['statuses of HTTP', message('probe failed with statuscode: 503'), message('probe failed with statuscode: 404')],
    ['statuses of HTTP with their name', message('got HTTP 500'), message('got HTTP 502')],
    ['nodes by number', resource('node/worker-1'), resource('node/worker-2')],
    ['nodes by address', resource('node/10.0.0.4'), resource('node/10.0.0.5')],
    ['nodes in sentences', message('Pod waits for node worker-1'), message('Pod waits for node worker-2')],
    ['containers', message('Container web runs as root'), message('Container proxy runs as root')],
    ['containers by number', message('Container sidecar-1 runs as root'), message('Container sidecar-2 runs as root')],
    ['containers with digits', message('Container s3 runs as root'), message('Container k8s runs as root')],
    ['containers in values', value('web'), value('proxy')],
    ['users', value('User/alice'), value('User/bob')],
    ['users with digits', value('User/alice1'), value('User/alice2')],
    ['users with addresses', value('User/a1@shop.example'), value('User/a2@shop.example')],
    ['users by number', value('User/104567890123456789012'), value('User/998877665544332211009')],
    ['users of a provider', value('User/oidc:alice1'), value('User/oidc:alice2')],
    ['users of a cluster', value('system:node1'), value('system:node2')],
    ['users of a provider without their kind', value('oidc:alice1'), value('oidc:alice2')],
    ['service accounts', value('ServiceAccount/ci/deployer1'), value('ServiceAccount/ci/deployer2')],
    ['groups', value('Group/system:masters'), value('Group/system:nodes')],
    ['groups by id', value(`Group/${uid[0]}`), value(`Group/${uid[1]}`)],
    ['groups by id without their kind', value(uid[0]), value(uid[1])],
    ['images', value('nginx:1.27.3'), value('httpd:1.27.3')],
    ['images of registries', value('docker.io/library/nginx:1.27.3'), value('ghcr.io/library/nginx:1.27.3')],
    ['images of registries with ports', value('registry:5000/a/b:v1'), value('registry:5001/a/b:v1')],
    ['tags that are words', value('nginx:stable'), value('nginx:mainline')],
    [
      'containers named like their pod',
      { resource: 'pod/web-4ph65', message: 'Container web-4ph65 runs as root' },
      { resource: 'pod/web-4ph65', message: 'Container proxy runs as root' },
    ],
    ['environment variables', value('env: GATEWAY_KEY'), value('env: API_KEY')],
    ['values and no value', value('x'), {}],
    ['namespaces', { namespace: 'shop' }, { namespace: 'pay' }],
    ['a namespace and none', { namespace: 'shop' }, { namespace: null }],
    ['checks', { check: 'SEC001' }, { check: 'SEC002' }],
    ['a resource and none', resource('pod/web-0'), { resource: null }],
    ['sentences', message('is wrong'), message('is late')],
  ])('%s', (_, a, b) => {
    expect(toFingerprint(a)).not.toBe(toFingerprint(b))
  })
})

describe('the names that stay', () => {
  test.each([
    ['Pod/web-65cc8855c-ghk9m', 'pod/web'],
    ['pod/order-service-65cc8855c-ghk9m', 'pod/order-service'],
    ['pod/payments-db-postgresql-0', 'pod/payments-db-postgresql'],
    ['job/ledger-export-29741520', 'job/ledger-export'],
    ['ClusterRoleBinding/aks-cluster-admin-binding', 'clusterrolebinding/aks-cluster-admin-binding'],
    ['Private Cluster', 'Private Cluster'],
    ['pod/', 'pod/'],
    ['/', '/'],
    ['', ''],
  ])('of %j: %j', (name, expected) => {
    expect(stableResource(name)).toBe(expected)
  })
})

const letters = fc.constantFrom(...'bcdfghjklmnpqrstvwxz2456789')
const generated = (minLength: number, maxLength: number) =>
  fc.array(letters, { minLength, maxLength }).map((list) => list.join(''))
/** Of no copy that vcluster makes, which has the names of a namespace and of a virtual cluster behind its own. */
const name = fc.stringMatching(/^[a-z]([a-z0-9-]{0,20}[a-z0-9])?$/).filter((drawn) => !/-x-.+-x(?:-|$)/.test(drawn))

describe('rollouts, whatever the names', () => {
  test.each<[string, (name: string, hash: string, suffix: string) => string]>([
    ['a pod of a Deployment', (name, hash, suffix) => `pod/${name}-${hash}-${suffix}`],
    ['a pod of a DaemonSet or Job', (name, _, suffix) => `pod/${name}-${suffix}`],
    ['a ReplicaSet', (name, hash) => `replicaset/${name}-${hash}`],
  ])('change no fingerprint of %s', (_, write) => {
    fc.assert(
      fc.property(
        name,
        generated(8, 10),
        generated(5, 5),
        generated(8, 10),
        generated(5, 5),
        (name, h1, s1, h2, s2) => {
          expect(toFingerprint(resource(write(name, h1, s1)))).toBe(toFingerprint(resource(write(name, h2, s2))))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('change no sentence about a pod', () => {
    fc.assert(
      fc.property(
        name,
        generated(8, 10),
        generated(5, 5),
        generated(8, 10),
        generated(5, 5),
        (name, h1, s1, h2, s2) => {
          const say = (hash: string, suffix: string) => stableText(`Killing pod ${name}-${hash}-${suffix} now`)
          expect(say(h1, s1)).toBe(say(h2, s2))
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('change no finding of a real report', async () => {
    for (const file of [nativeReportFile, exampleFile(1), exampleFile(2), exampleFile(3)]) {
      const text = readFileSync(file, 'utf8')
      const hashes = /(?<=[Pp]od\/[a-z-]*?-)[a-z0-9]{9,10}-[a-z0-9]{5}(?=")/g
      const rolled = text.replace(hashes, (hash) => (hash.length === 15 ? '5f7d9b6c4-x8w2z' : '577s4nmqxh-6r6xt'))
      expect(rolled).not.toBe(text)
      const before = await toFindings(text)
      const after = await toFindings(rolled)
      expect(after.map((finding) => finding.fingerprint)).toEqual(before.map((finding) => finding.fingerprint))
    }
  })
})

test('many findings at once get the same fingerprints as one by one', () => {
  const text = fc.constantFrom('a', 'pod/web-65cc8855c-ghk9m', 'pod/web-577s4nmqxh-6r6xt', 'busy 5m0s', '__proto__')
  const finding = fc.record({
    check: fc.constantFrom('A', 'B'),
    namespace: fc.constantFrom('shop', null),
    resource: fc.option(text),
    message: text,
    value: fc.option(text),
  })
  fc.assert(
    fc.property(fc.array(finding, { maxLength: 40 }), (findings) => {
      const many = new Fingerprinter()
      for (const { check, ...item } of findings) expect(many.of(check, item)).toBe(fingerprint(check, item))
    }),
  )
})

test('stays right when the cache is full', () => {
  const many = new Fingerprinter()
  const item = (i: number): Item => ({ namespace: null, resource: `pod/a${i}-4ph65`, message: `m${i}`, value: `v${i}` })
  const first = Array.from({ length: 10 }, (_, i) => many.of('A', item(i)))
  for (let i = 0; i < 50_000; i++) many.of('A', item(i))
  expect(Array.from({ length: 10 }, (_, i) => many.of('A', item(i)))).toEqual(first)
  expect(first).toEqual(Array.from({ length: 10 }, (_, i) => fingerprint('A', item(i))))
})

describe('hostile texts', () => {
  const parts = [
    'a',
    '-',
    '1',
    '1.',
    '1,',
    '1 ',
    '1m',
    '1.1.',
    '1-',
    'a-',
    'a/',
    'a:',
    'a.',
    'a1',
    '1a',
    'a1-',
    '-bcdfgh',
    '-24567',
    'bcdfgh-',
    'ab12cd34-',
    '-a1b2c3d4-',
    'a:1/',
    ':1/a',
    '@',
    'sha256:',
    `sha256:${'a'.repeat(63)}`,
    'aaaaaaaa-aaaa-',
    '2026-04-15T',
    '2026-04-15T09:40',
    '+01:00',
    '٣',
    'é-',
    '\u2028',
    '\ud800',
    '5m0',
    '9Ki',
  ]
  const ends = ['', '!', '-', ':', '0', 'Z', '\n']

  function read(text: string): void {
    toFingerprint({ resource: `pod/${text}`, message: text, value: text })
    toFingerprint({ resource: `replicaset/a-${text}`, message: `a-${text}`, value: `a:${text}` })
  }

  const formatTexts = (part: string) => (size: number) =>
    ends.map((end) => `${part.repeat(Math.ceil(size / part.length)).slice(0, size)}${end}`)
  const readAll = (texts: string[]) => texts.forEach(read)

  test.each(parts)('made of %j take time by their length', (part) => {
    expect(growthOf({ run: readAll, input: formatTexts(part), most: 2000 })).toBeLessThan(3)
  })

  test('of any kind take time by their length', () => {
    const hostile = fc.array(fc.constantFrom(...parts), { minLength: 2, maxLength: 20 }).map((list) => list.join(''))
    fc.assert(
      fc.property(hostile, (part) => {
        expect(growthOf({ run: readAll, input: formatTexts(part), most: 2000 })).toBeLessThan(3)
      }),
      { numRuns: 30 },
    )
  })
})
