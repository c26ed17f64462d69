import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fixes, proposeFix } from '../../../src/reports/fix/propose.ts'

interface Row {
  check_id: string
  namespace?: string | null
  resource?: string | null
  message?: string
  value?: string | null
}

const propose = (row: Row, owners?: Parameters<typeof proposeFix>[1]) =>
  proposeFix({ namespace: 'shop', resource: null, message: '', value: null, ...row, format: 'kubebuddy' }, owners)
const toCommands = (row: Row, owners?: Parameters<typeof proposeFix>[1]): string[] =>
  propose(row, owners)?.steps.map(({ command }) => command) ?? []
const filledIn = (row: Row): string[] => propose(row)?.fill_in.map(({ placeholder }) => placeholder) ?? []

const pod = 'pod/web-65cc8855c-ghk9m'
const owner =
  "-n shop get pod web-65cc8855c-ghk9m -o 'jsonpath={.metadata.ownerReferences[0].kind}/{.metadata.ownerReferences[0].name}'"
const patched = (patch: string) =>
  `kubectl -n shop patch deployment/web --dry-run=server -p '{"spec":{"template":{"spec":${patch}}}}'`

describe('the workload of a pod', () => {
  const root: Row = { check_id: 'SEC020', resource: pod, message: 'Container app has no explicit seccomp profile' }
  const profile = '{"securityContext":{"seccompProfile":{"type":"RuntimeDefault"}}}'

  test('is the Deployment that its name has, once the reader has looked', () => {
    expect(toCommands(root)).toEqual([`kubectl ${owner}`, patched(profile)])
    expect(filledIn(root)).toEqual([])
  })

  test('is what the inventory says', () => {
    const owners = [
      { namespace: 'shop', resource: pod, owner: 'replicaset/web-65cc8855c' },
      { namespace: 'shop', resource: 'replicaset/web-65cc8855c', owner: 'rollout/web' },
      { namespace: 'other', resource: pod, owner: 'deployment/other' },
    ]
    expect(toCommands(root, owners)).toEqual(['kubectl -n shop get rollout/web -o yaml'])
    expect(toCommands(root, [{ namespace: 'shop', resource: pod, owner: 'statefulset/db' }])).toEqual([
      patched(profile).replace('deployment/web', 'statefulset/db'),
    ])
  })

  test('is the CronJob of a pod with a scheduled minute, whose pod template is further in', () => {
    const [, command] = toCommands({ ...root, resource: 'pod/report-29000061-tpnr6' })
    expect(command).toBe(
      `kubectl -n shop patch cronjob/report --dry-run=server -p '{"spec":{"jobTemplate":{"spec":{"template":{"spec":${profile}}}}}}'`,
    )
  })

  test.each(['pod/web-0', 'pod/agent-t4tbf', 'pod/web', 'pod/node-exporter-blackbox-x7k2p', 'pod/web-bcdfghjkl-x7k2p'])(
    'has to be filled in for %s',
    (resource) => {
      expect(toCommands({ ...root, resource })[1]).toContain('patch KIND/NAME ')
      expect(filledIn({ ...root, resource })).toEqual(['KIND/NAME'])
    },
  )
})

describe('the container', () => {
  test.each([
    ['SEC004', "Container 'app' is running in privileged mode", 'privileged=true'],
    ['SEC009', 'Container app does not drop ALL capabilities', null],
    ['SEC009', 'Does not drop ALL capabilities', 'app'],
    ['SEC011', 'Container app runs as UID 0', '0'],
    ['SEC011', 'Container runs as UID 0', 'app, UID: 0'],
    ['SEC006', 'Missing one or more secure defaults', 'app, Flags: runAsNonRoot: , readOnlyRootFilesystem: True'],
    ['WRK025', 'Container readinessProbe and livenessProbe are identical', 'app'],
  ])('is known to %s from %s, %s', (check_id, message, value) => {
    const last = toCommands({ check_id, resource: pod, message, value }).at(-1)
    expect(last).toContain('"containers":[{"name":"app",')
  })

  test.each([
    ['SEC004', 'A container is privileged', 'privileged=true'],
    ['SEC011', 'Container  runs as UID 0', '0'],
    ['SEC009', "Container a';id;' does not drop ALL capabilities", null],
  ])('has to be filled in for %s from %s, %s', (check_id, message, value) => {
    const row = { check_id, resource: pod, message, value }
    expect(filledIn(row)).toContain('CONTAINER')
    expect(toCommands(row).at(-1)).toContain('"name":"CONTAINER"')
  })

  test('is an init container where the report says so', () => {
    const row = {
      check_id: 'SEC009',
      resource: pod,
      message: 'Does not drop ALL capabilities',
      value: 'wait, ContainerType: InitContainer',
    }
    expect(toCommands(row).at(-1)).toContain('"initContainers":[{"name":"wait"')
  })
})

describe('what is wrong already', () => {
  test('leaves out defaults that are set', () => {
    const row = {
      check_id: 'SEC006',
      resource: 'deployment/web',
      message: 'Container app is missing one or more secure defaults',
      value: 'runAsNonRoot: , readOnlyRootFilesystem: True, allowPrivilegeEscalation: ',
    }
    expect(toCommands(row)).toEqual([
      patched(
        '{"containers":[{"name":"app","securityContext":{"runAsNonRoot":true,"allowPrivilegeEscalation":false}}]}',
      ),
    ])
  })

  test('turns off the access to the host that is on', () => {
    const row = { check_id: 'SEC002', resource: 'deployment/web', value: 'hostPID=True, hostNetwork=false' }
    expect(toCommands(row)).toEqual([patched('{"hostPID":false}')])
  })

  test('keeps registry, path and container of an image', () => {
    const row = { check_id: 'POD007', resource: 'deployment/web', message: 'Container app: Image uses latest tag' }
    const set = 'kubectl -n shop set image deployment/web app='
    expect(toCommands({ ...row, value: 'localhost:5000/acme/web' })).toEqual([
      `${set}localhost:5000/acme/web:VERSION --dry-run=server`,
    ])
    expect(
      toCommands({
        ...row,
        check_id: 'SEC014',
        message: 'Image from untrusted registry in container app',
        value: 'ghcr.io/acme/web:1',
      }),
    ).toEqual([`${set}REGISTRY/acme/web:1 --dry-run=server`])
  })

  test('names the workload that a row has in another column', () => {
    const row = {
      check_id: 'WRK012',
      resource: 'pdb/<none>',
      message: 'No matching PDB',
      value: 'Workload: Deployment/web, Replicas: 3',
    }
    expect(toCommands(row)[0]).toBe("kubectl -n shop get deployment/web -o 'jsonpath={.spec.selector.matchLabels}'")
  })
})

test('proposes nothing where nothing follows', () => {
  expect(propose({ check_id: 'AKSBP001' })).toBeUndefined()
  expect(propose({ check_id: 'toString' })).toBeUndefined()
  expect(propose({ check_id: 'SEC002', resource: 'pod/web', value: 'hostPID=false' })).toBeUndefined()
  const finding = { check_id: 'SEC020', namespace: null, resource: pod, message: '', value: null }
  expect(proposeFix({ ...finding, format: 'trivy' })).toBeUndefined()
})

test('deletes nothing that Kubernetes needs', () => {
  for (const [check_id, resource] of [
    ['RBAC003', 'serviceaccount/default'],
    ['CFG001', 'configmap/kube-root-ca.crt'],
    ['RBAC004', 'clusterrolebinding/system:node'],
    ['NS001', 'namespace/kube-system'],
  ] as const) {
    const commands = toCommands({ check_id, namespace: check_id === 'NS001' ? 'kube-system' : 'shop', resource })
    expect(commands.join('\n')).not.toContain(' delete ')
  }
})

test('tries each change before it is made', () => {
  for (const check_id of Object.keys(fixes).filter((id) => id !== 'POD002')) {
    for (const command of toCommands({
      check_id,
      resource: 'deployment/web',
      message: 'Container app is there',
      value: 'x',
    })) {
      const changes = /kubectl (?:-n \S+ )?(patch|set|label|scale|create|delete|apply|rollout)\b/.test(command)
      expect(changes ? command.includes('--dry-run=server') : true, command).toBe(true)
    }
  }
})

test('says whether a command is a dry run', () => {
  const proposals = Object.keys(fixes).flatMap((check_id) => propose({ check_id, resource: 'deployment/web' }) ?? [])
  const isDry = ({ steps }: (typeof proposals)[number]) => steps.some(({ command }) => command.includes('--dry-run='))
  expect(new Set(proposals.map(isDry))).toEqual(new Set([true, false]))
  for (const proposal of proposals) expect(proposal.dry_run === true).toBe(isDry(proposal))
})

/** The 30 checks of which reports have the most findings, each with a row as one of them has it. */
const frequent: Row[] = [
  {
    check_id: 'SEC003',
    resource: pod,
    message: 'Container app runs as root or has no runAsUser set',
    value: 'Not Set (Defaults to root)',
  },
  {
    check_id: 'SEC035',
    resource: 'deployment/web',
    message: 'Image is not pinned to a digest: nginx:1.25.4',
    value: 'nginx:1.25.4',
  },
  {
    check_id: 'SEC006',
    resource: pod,
    message: 'Container app has no securityContext defined',
    value: 'Missing securityContext',
  },
  { check_id: 'SEC011', resource: pod, message: 'Container app runs as UID 0', value: '0' },
  {
    check_id: 'SEC014',
    resource: pod,
    message: 'Image from untrusted registry',
    value: 'app, Image: grafana/grafana:10.1.0',
  },
  { check_id: 'WRK026', resource: pod, message: 'Container missing requests.ephemeral-storage', value: 'app' },
  {
    check_id: 'WRK025',
    resource: pod,
    message: 'Container readinessProbe and livenessProbe are identical',
    value: 'app',
  },
  { check_id: 'POD002', resource: pod, message: 'Warning', value: '21' },
  { check_id: 'POD007', resource: pod, message: 'Container app: Image omits explicit tag', value: 'busybox' },
  {
    check_id: 'WRK016',
    resource: 'deployment/web',
    message: 'Workload is missing recommended labels',
    value: 'app.kubernetes.io/name, app.kubernetes.io/part-of',
  },
  { check_id: 'WRK021', resource: 'deployment/web', message: 'Workload does not set priorityClassName' },
  { check_id: 'SEC021', resource: pod, message: 'Container app uses hostPort 30000', value: '30000' },
  { check_id: 'SEC010', resource: pod, message: 'hostPath volume host used', value: '/etc' },
  { check_id: 'SEC029', resource: pod, message: 'hostPath volume host mounts sensitive host path /etc', value: '/etc' },
  { check_id: 'WRK013', resource: pod, message: 'CrashLoopBackOff, HighRestarts(33) cpuReq=100m', value: 'app' },
  { check_id: 'SEC009', resource: pod, message: 'Container app does not drop ALL capabilities' },
  { check_id: 'SEC012', resource: pod, message: 'Container app adds Linux capabilities', value: 'NET_ADMIN, SYS_TIME' },
  { check_id: 'WRK015', resource: 'deployment/web', message: 'Replicated workload defines neither', value: '3' },
  { check_id: 'POD001', resource: pod, message: 'Critical', value: '33' },
  { check_id: 'WRK006', resource: 'deployment/web', message: '❌ No matching PDB' },
  { check_id: 'WRK012', resource: 'deployment/web', message: 'No matching PDB for replicated workload', value: '3' },
  {
    check_id: 'SEC004',
    resource: pod,
    message: "Container 'app' is running in privileged mode",
    value: 'privileged=true',
  },
  { check_id: 'SEC018', resource: 'serviceaccount/default', message: 'Some ServiceAccounts', value: 'null' },
  {
    check_id: 'NET007',
    resource: 'service/web',
    message: "Service targetPort '8443' not found in backing pods",
    value: '8443',
  },
  { check_id: 'SEC015', resource: pod, message: 'Pod uses default ServiceAccount', value: 'default' },
  {
    check_id: 'SEC008',
    resource: pod,
    message: 'Secret db exposed via env var in container app',
    value: 'env: DB_PASSWORD',
  },
  {
    check_id: 'EVENT001',
    namespace: null,
    message: 'Back-off restarting failed container app in pod web-65cc8855c-ghk9m_shop',
    value: 'BackOff, Source: kubelet',
  },
  { check_id: 'EVENT002', resource: 'Pod/web-65cc8855c-ghk9m', message: 'Back-off', value: 'BackOff, Source: kubelet' },
  { check_id: 'SEC005', resource: pod, message: 'hostIPC is enabled', value: 'true' },
  { check_id: 'SEC002', resource: pod, message: 'Pod uses hostPID', value: 'hostPID=true, hostNetwork=false' },
  { check_id: 'WRK017', resource: 'deployment/web', message: 'Workload has a single replica', value: '1' },
  { check_id: 'POD008', resource: pod, message: 'Pod automounts API credentials', value: '<nil>' },
  { check_id: 'SEC020', resource: pod, message: 'Container app has no explicit seccomp profile' },
  { check_id: 'WRK007', resource: 'deployment/web', message: 'readiness, liveness missing', value: 'app' },
]

test.each(frequent)('proposes something for $check_id that can be pasted', (row) => {
  const commands = toCommands(row)
  expect(commands.length).toBeGreaterThan(0)
  expect(commands.join('\n')).toMatchSnapshot()
  for (const { placeholder } of propose(row)!.fill_in) expect(commands.join('\n')).toContain(placeholder)
  for (const [patch] of commands.join('\n').matchAll(/(?<=-p '|echo ')\{.*\}(?=')/g)) {
    const filled = patch
      .replace(/\b(USER_ID|PORT|CONTAINER_PORT|TARGET_PORT|FAILURES)\b/g, '1')
      .replace('MATCH_LABELS', '{}')
    expect(() => JSON.parse(filled)).not.toThrow()
  }
})

const hostile = fc.oneof(
  fc.constantFrom(
    "a'; touch /tmp/x; '",
    '$(id)',
    '`id`',
    '-n',
    '--kubeconfig=x',
    "'",
    '\\',
    'a\nb',
    '"',
    ['$', '{x}'].join(''),
    '\u202e',
    '|',
    '*',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
)
const words = fc.array(hostile, { maxLength: 3 }).map((parts) => parts.join(''))
const texts = fc
  .tuple(
    fc.constantFrom('', 'Container ', "Container '", 'in container ', 'Secret ', 'hostPath volume ', 'in pod '),
    words,
    fc.constantFrom('', ' runs', "' is", ' exposed', ' used', '_shop', ', Image: x', ', Kind: Deployment'),
  )
  .map((parts) => parts.join(''))
const kinds = fc.constantFrom(
  'pod',
  'deployment',
  'ClusterRoleBinding',
  'role',
  'service',
  'namespace',
  'pdb',
  'workload',
)

test.skipIf(process.platform === 'win32')('runs nothing but kubectl, whatever a report says', () => {
  const all: string[] = []
  fc.assert(
    fc.property(
      fc.record({
        check_id: fc.constantFrom(...Object.keys(fixes)),
        namespace: fc.option(words),
        resource: fc.option(fc.tuple(kinds, words).map((parts) => parts.join('/'))),
        message: texts,
        value: fc.option(texts),
      }),
      (row) => {
        for (const command of toCommands(row)) {
          expect(command).not.toMatch(/[\p{Cc}\u202a-\u202e]/u)
          all.push(command)
        }
      },
    ),
    { numRuns: 2000 },
  )
  // Each command says how often it called kubectl; anything else it calls is not found.
  const script = `kubectl() { printf 'k'; }\n${all.map((command) => `${command}\nprintf '\\n'`).join('\n')}`
  const said = execFileSync('/bin/sh', ['-s'], { input: script, env: { PATH: '/nonexistent' }, encoding: 'utf8' })
  expect(said.trimEnd().split('\n')).toEqual(all.map(() => 'k'))
})
