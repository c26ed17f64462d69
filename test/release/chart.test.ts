import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { agentRules } from '../../scripts/chart/agent-rules.ts'
import { inventoryRules, reportRules, scannerRules } from '../../src/agent/units/rbac.ts'
import { version } from '../../src/version.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { type Manifest, wrongFields } from './manifest-shapes.ts'

const chart = fileURLToPath(new URL('../../charts/relt/', import.meta.url))
const read = (file: string) => readFileSync(`${chart}${file}`, 'utf8')

test('the rules of the agent in the chart are those of the program', () => {
  expect(read('templates/_agent-rules.tpl')).toBe(agentRules())
})

/** The named templates of the chart. */
const templates = new Map(
  globSync('templates/_*.tpl', { cwd: chart }).flatMap((file) =>
    [...read(file).matchAll(/^\{\{- define "(.+)" -\}\}\n([\s\S]*?)^\{\{- end \}\}$/gm)].map(([, name, body]) => [
      name!,
      body!,
    ]),
  ),
)

/** A template with the named ones that it includes. */
function inline(text: string): string {
  return text.replaceAll(
    /^( *)\{\{-? include "(.+?)" [^|\n]*?(?:\| nindent \d+ )?\}\}$/gm,
    (_, indent: string, name: string) => inline(templates.get(name)!).replaceAll(/^(?=.)/gm, indent),
  )
}

/** The objects of a template with all its branches: lines of conditions are removed, and values replaced. */
function allObjects(file: string): Manifest[] {
  const text = inline(read(file))
    .replaceAll(/^ *\{\{-.*\}\}\n/gm, '')
    .replaceAll(/: \{\{ ternary "(\w+)" .*\}\}$/gm, ': $1')
    .replaceAll(/: \{\{[^}]*(?:[pP]ort|int |ternary \d+)[^}]*\}\}$/gm, ': 1')
    .replaceAll(/: \{\{.*\}\}$/gm, ': value')
    .replaceAll(/\{\{.*\}\}/g, 'value')
  return parseAllDocuments(text, { uniqueKeys: false }).flatMap((document) => {
    expect(document.errors).toEqual([])
    return document.toJS({ reviver: (_: unknown, value: unknown) => value ?? undefined }) ?? []
  })
}

test('the agent of the chart has only fields of the API', () => {
  const objects = allObjects('templates/agent.yaml')
  expect(objects.map(({ kind }) => kind)).toEqual([
    ...['Secret', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'NetworkPolicy', 'PersistentVolumeClaim'],
    ...['PodMonitor', 'CronJob', 'Deployment'],
  ])
  expect(objects.flatMap(wrongFields)).toEqual([])
  const cronJob = structuredClone(objects.at(-2)!) as Manifest & { spec: object }
  expect(wrongFields({ ...cronJob, spec: { ...cronJob.spec, timezone: 'UTC', schedule: 5 } })).toEqual([
    'CronJob.spec.schedule is no string',
    'CronJob.spec.timezone is unknown',
  ])
})

test('the chart has the version of relt', () => {
  expect(parse(read('Chart.yaml'))).toMatchObject({ version, appVersion: version })
})

test('the values fit their schema, and a misspelt one does not', () => {
  const validate = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')))
  const values = parse(read('values.yaml'))
  expect(validate(values), JSON.stringify(validate.errors)).toBe(true)
  expect(validate({ ...values, server: { ...values.server, replica: 2 } })).toBe(false)
  expect(validate({ ...values, agent: { ...values.agent, enabled: true } })).toBe(false)
  const namespaces = ['shop', 'Not a name']
  expect(validate({ ...values, agent: { ...values.agent, rbac: { namespaces } } })).toBe(false)
})

const helm = process.env.RELT_HELM ?? 'helm'
const hasHelm = spawnSync(helm, ['version'], { stdio: 'ignore' }).status === 0
const { RELT_KUBECONFORM: kubeconform, RELT_KUBE_SCHEMAS: schemas } = process.env

interface Rendered {
  kind: string
  [member: string]: unknown
}

function render(values: object, folder = chart): Rendered[] {
  const args = ['template', 'r', folder, '--namespace', 'team', '--kube-version', '1.33.0', '--values', '-']
  const text = execFileSync(helm, args, { input: JSON.stringify(values), stdio: ['pipe', 'pipe', 'pipe'] }).toString()
  if (kubeconform && schemas) {
    const options = ['-strict', '-skip', 'ServiceMonitor,PodMonitor,Notes', '-schema-location']
    const location = `${schemas}/{{.ResourceKind}}{{.KindSuffix}}.json`
    execFileSync(kubeconform, [...options, location], { input: text, stdio: ['pipe', 'pipe', 'pipe'] })
  }
  return parseAllDocuments(text).flatMap((document) => {
    expect(document.errors).toEqual([])
    return document.toJS() ?? []
  })
}

const jobs = [
  { name: 'nightly', schedule: '0 2 * * *', profile: 'prod' },
  { name: 'reports', every: '1h', collect: 'trivy-operator', cluster: 'prod' },
]

const folder = { name: 'w', watch: { folder: '/data/in' } }

/** Helm renders notes for a cluster alone, so they become the value of an object here. */
function renderNotes(values: object): string {
  const copy = temporaryFolder()
  cpSync(chart, copy, { recursive: true })
  renameSync(`${copy}/templates/NOTES.txt`, `${copy}/notes.txt`)
  writeFileSync(
    `${copy}/templates/notes.yaml`,
    'apiVersion: v1\nkind: Notes\ntext: {{ tpl (.Files.Get "notes.txt") . | toJson }}\n',
  )
  return find(render(values, copy), 'Notes').text
}

// biome-ignore lint/suspicious/noExplicitAny: a document of any kind
const find = (objects: Rendered[], kind: string): any => objects.find((object) => object.kind === kind)
const toPorts = (rule: { ports: { port: number }[] }) => rule.ports.map(({ port }) => port)

describe.runIf(hasHelm)('helm', () => {
  test('renders what the default install needs, which is nothing but a namespace', () => {
    const objects = render({})
    const kinds = ['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service', 'ServiceAccount']
    expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds)
    expect(JSON.stringify(objects)).not.toContain('secretKeyRef')
  })

  const agentOf = (agent: object, others: object = {}) =>
    render({ server: { enabled: false }, ...others, agent: { enabled: true, secretName: 's', ...agent } })

  test.each(['deployment', 'cronjob'] as const)('renders an agent whose pods never share a volume: %s', (form) => {
    const objects = agentOf({ form, config: { jobs }, timeZone: 'Europe/Berlin' })
    const workload = find(objects, form === 'cronjob' ? 'CronJob' : 'Deployment')
    const once = { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 600, timeZone: 'Europe/Berlin' }
    expect(workload.spec).toMatchObject(form === 'cronjob' ? once : { replicas: 1, strategy: { type: 'Recreate' } })
    const { spec } = (form === 'cronjob' ? workload.spec.jobTemplate : workload).spec.template
    expect(spec.terminationGracePeriodSeconds).toBe(30)
    const [container] = spec.containers
    const probe = { exec: { command: ['relt', 'agent', 'status', '--probe'] } }
    expect(container).toMatchObject(form === 'cronjob' ? {} : { livenessProbe: probe })
    if (form === 'cronjob') expect(container).not.toHaveProperty('livenessProbe')
    const names = (parts: { name: string }[]) => parts.map(({ name }) => name)
    expect(names(container.volumeMounts)).toEqual(names(spec.volumes))
    expect(container.env[0]).toEqual({ name: 'RELT_HOME', value: container.volumeMounts[0].mountPath })
    expect(spec.volumes[0].persistentVolumeClaim.claimName).toBe(find(objects, 'PersistentVolumeClaim').metadata.name)
    expect(parse(find(objects, 'Secret').stringData['agent.yaml'])).toEqual({ jobs })
  })

  test('renders an agent that may read what its jobs read, and nobody can reach', () => {
    const objects = agentOf({ config: { jobs } })
    const rules = [...scannerRules, ...inventoryRules, ...reportRules['trivy-operator']]
    expect(find(objects, 'ClusterRole').rules).toEqual(rules)
    const { ingress, egress } = find(objects, 'NetworkPolicy').spec
    expect([ingress, egress.map(toPorts)]).toEqual([
      [],
      [
        [53, 53],
        [443, 6443],
      ],
    ])
    const watching = agentOf({ config: { jobs: [folder] } })
    expect(find(watching, 'ClusterRole')).toBeUndefined()
  })

  test('renders an agent of a cluster that is not usual', () => {
    const config = { health_port: 9464, health_host: '0.0.0.0', jobs: [{ ...jobs[1], deprecated_apis: true }] }
    const place = { caBundle: 'corporate', nodeLocalDns: 'fd00::10', openshift: true, podMonitor: { enabled: true } }
    const server = { name: 'RELT_SERVER', value: 'https://relt.example' }
    const objects = agentOf({
      config,
      ...place,
      secretName: '',
      env: [server],
      serverPort: 8443,
      ports: [443, 9000, 8443],
    })
    const { spec } = find(objects, 'Deployment').spec.template
    expect(spec.securityContext).toEqual({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
    const [container] = spec.containers
    expect(container.env.slice(-2)).toEqual([{ name: 'RELT_CA_FILE', value: '/etc/relt-ca/ca.crt' }, server])
    expect(container).not.toHaveProperty('envFrom')
    expect(container.volumeMounts.at(-1)).toEqual({ name: 'ca', mountPath: '/etc/relt-ca', readOnly: true })
    const { ingress, egress } = find(objects, 'NetworkPolicy').spec
    expect(ingress.map(toPorts)).toEqual([[9464]])
    expect(egress.map(toPorts)).toEqual([
      [5353, 5353],
      [53, 53],
      [443, 6443, 8443, 9000],
    ])
    expect(egress[1].to).toEqual([{ ipBlock: { cidr: 'fd00::10/128' } }])
    expect(find(objects, 'PodMonitor').spec.podMetricsEndpoints).toEqual([{ port: 'metrics', interval: '1m' }])
    expect(find(objects, 'ClusterRole').rules.at(-1)).toEqual({ nonResourceURLs: ['/metrics'], verbs: ['get'] })
  })

  test.each(['server', 'agent'])('renders the values that server and agent share: %s', (part) => {
    const pod = {
      ...{
        nodeSelector: { disk: 'ssd' },
        tolerations: [{ key: 'team', operator: 'Exists' }],
        affinity: { podAffinity: {} },
      },
      priorityClassName: 'high',
    }
    const container = {
      resources: { limits: { memory: '3Gi' } },
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy' }],
    }
    const values = {
      ...{ ...pod, ...container, labels: { of: 'deployment' }, annotations: { at: 'deployment' } },
      ...{ podLabels: { of: 'pod', 'app.kubernetes.io/name': 'mine' }, podAnnotations: { at: 'pod' } },
      serviceAccount: { labels: { of: 'account' }, annotations: { at: 'account' } },
    }
    const common = { commonLabels: { of: 'all', cost: '7' }, commonAnnotations: { at: 'all', by: 'us' } }
    const objects =
      part === 'server' ? render({ ...common, server: values }) : agentOf({ ...values, config: { jobs } }, common)
    for (const { kind, metadata } of objects as unknown as { kind: string; metadata: object }[]) {
      const of = { Deployment: 'deployment', ServiceAccount: 'account' }[kind] ?? 'all'
      const labels = { of, cost: '7', 'app.kubernetes.io/name': `relt-${part}` }
      expect(metadata).toMatchObject({ labels, annotations: { at: of, by: 'us' } })
    }
    const { selector, template } = find(objects, 'Deployment').spec
    const labels = { of: 'pod', cost: '7', ...selector.matchLabels }
    expect(template).toMatchObject({ metadata: { labels, annotations: { at: 'pod', by: 'us' } }, spec: pod })
    expect(template.spec.containers[0].resources.limits).toEqual({ memory: '3Gi' })
    expect(template.spec.containers[0].env.at(-1)).toEqual(container.env[0])
    if (part === 'agent') expect((objects as unknown as Manifest[]).flatMap(wrongFields)).toEqual([])
  })

  test('renders an agent that does not start without its secret', () => {
    const env = [{ name: 'RELT_SERVER', value: 'https://relt.example' }]
    const containerOf = (agent: object) => find(agentOf(agent), 'Deployment').spec.template.spec.containers[0]
    const container = containerOf({ config: { jobs } })
    expect(container.envFrom).toEqual([{ secretRef: { name: 's' } }])
    const keys = ['RELT_SERVER', 'RELT_USERNAME', 'RELT_PASSWORD']
    const refs = keys.map((key) => ({ name: key, valueFrom: { secretKeyRef: { name: 's', key } } }))
    expect(container.env.slice(3)).toEqual(refs)
    expect(containerOf({ config: { jobs }, env }).env.slice(3)).toEqual([...refs.slice(1), ...env])
    const local = containerOf({ config: { jobs: [{ ...jobs[0], server: 'local' }] }, secretName: '' })
    expect(local).not.toHaveProperty('envFrom')
  })

  test('keeps the volume of the agent, or uses another', () => {
    const claim = find(agentOf({ config: { jobs } }), 'PersistentVolumeClaim')
    expect(claim.metadata.annotations).toEqual({ 'helm.sh/resource-policy': 'keep' })
    const objects = agentOf({ config: { jobs }, persistence: { existingClaim: 'mine' } })
    expect(find(objects, 'PersistentVolumeClaim')).toBeUndefined()
    expect(find(objects, 'Deployment').spec.template.spec.volumes[0].persistentVolumeClaim.claimName).toBe('mine')
  })

  test('renders a Role in each namespace in place of the ClusterRole', () => {
    const objects = agentOf({ config: { jobs }, rbac: { namespaces: ['shop', 'cart'] } })
    expect(objects.filter(({ kind }) => kind.startsWith('ClusterRole'))).toEqual([])
    const { rules } = find(agentOf({ config: { jobs } }), 'ClusterRole')
    const name = 'team-r-agent'
    for (const [index, namespace] of ['shop', 'cart'].entries()) {
      const of = (kind: string) => objects.filter((object) => object.kind === kind)[index]
      expect(of('Role')).toMatchObject({ metadata: { name, namespace }, rules })
      expect(of('RoleBinding')).toMatchObject({
        metadata: { name, namespace },
        roleRef: { kind: 'Role', name },
        subjects: [{ kind: 'ServiceAccount', name: 'r-agent', namespace: 'team' }],
      })
    }
  })

  test.each([
    ['deployment', jobs, 'kubectl -n team exec deployment/r-agent -- relt agent history --job nightly'],
    [
      'deployment',
      [folder],
      'kubectl -n team exec deployment/r-agent -- relt agent check --config /etc/relt/agent.yaml',
    ],
    ['cronjob', jobs, 'kubectl -n team logs --follow --pod-running-timeout=2m job/r-agent-check'],
  ])('ends the notes with the command that checks the agent: %s', (form, agentJobs, command) => {
    const notes = renderNotes({ agent: { enabled: true, form, secretName: 's', config: { jobs: agentJobs } } })
    expect(notes.trimEnd().split('\n').at(-1)?.trim()).toBe(command)
    expect(notes).toContain('kubectl -n team delete persistentvolumeclaim r-agent\n')
  })

  test.each([
    ['an agent without a secret', {}, 'agent.secretName is needed'],
    [
      'a path of the API server for a Role',
      { secretName: 's', config: { jobs: [{ ...jobs[1], deprecated_apis: true }] }, rbac: { namespaces: ['shop'] } },
      'agent.rbac.namespaces allows no paths',
    ],
    ['a label that is no text', { secretName: 's', podLabels: { cost: 7 } }, 'podLabels'],
    ['a pod monitor of a CronJob', { form: 'cronjob', podMonitor: { enabled: true } }, 'deployment'],
    ['a pod monitor without a port', { podMonitor: { enabled: true } }, 'health_port'],
  ])('refuses %s', (_, agent, message) => {
    expect(() => render({ agent: { enabled: true, config: { jobs }, ...agent } })).toThrow(message)
  })

  test.each([
    ['replicas without a database', { server: { replicas: 2 } }, 'needs PostgreSQL'],
    ['a database without a master key', { server: { database: { secretName: 'db' } } }, 'server.masterKey.secretName'],
    ['an ingress without a host', { server: { ingress: { enabled: true } } }, 'server.ingress.host'],
    ['an agent without jobs', { agent: { enabled: true } }, 'jobs'],
  ])('refuses %s', (_, values, message) => {
    expect(() => render(values)).toThrow(message)
  })

  test('renders all combinations of switches with the pods restricted', () => {
    for (const values of combinations()) {
      for (const object of render(values)) {
        const text = JSON.stringify(object)
        expect(text).not.toContain('null')
        if (!/"containers"/.test(text)) continue
        for (const part of [
          '"runAsNonRoot":true',
          '"readOnlyRootFilesystem":true',
          '"allowPrivilegeEscalation":false',
          '"drop":["ALL"]',
          '"seccompProfile":{"type":"RuntimeDefault"}',
        ])
          expect(text).toContain(part)
      }
    }
  })
})

/** 4 kinds of servers × 3 surroundings × 3 agents. */
function combinations(): object[] {
  const postgres = { database: { secretName: 'db' }, masterKey: { secretName: 'key' }, replicas: 3 }
  const servers: object[] = [{}, postgres, { enabled: false }, { persistence: { existingClaim: 'mine' } }]
  const around = [
    {},
    { tls: { secretName: 'tls' }, podDisruptionBudget: { enabled: true } },
    {
      ...{ serviceMonitor: { enabled: true }, trustProxy: 1, networkPolicy: { enabled: false } },
      ingress: { enabled: true, host: 'radar.example', tlsSecretName: 'tls', className: 'nginx' },
    },
  ]
  const agents = [
    {},
    {
      enabled: true,
      config: { jobs },
      serverPort: 8787,
      secretName: 's',
      ...{ openshift: true, caBundle: 'corporate', nodeLocalDns: '169.254.20.10' },
      extraRules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
    },
    {
      enabled: true,
      form: 'cronjob',
      config: { jobs: [folder] },
      secretName: 's',
    },
  ]
  return servers.flatMap((server) =>
    around.flatMap((more) =>
      agents.map((agent) => ({ server: { ...server, ...more }, agent, imagePullSecrets: [{ name: 'pull' }] })),
    ),
  )
}
