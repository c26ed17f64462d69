import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { agentTemplate } from '../../scripts/chart/agent-template.ts'
import { configSecret, kubernetesFiles } from '../../src/agent/units/kubernetes.ts'
import { version } from '../../src/version.ts'

const chart = fileURLToPath(new URL('../../charts/relt/', import.meta.url))
const read = (file: string) => readFileSync(`${chart}${file}`, 'utf8')

test('the agent of the chart is written from `relt agent manifests`', () => {
  expect(read('templates/agent.yaml')).toBe(agentTemplate())
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
})

const helm = process.env.RELT_HELM ?? 'helm'
const hasHelm = spawnSync(helm, ['version'], { stdio: 'ignore' }).status === 0
const { RELT_KUBECONFORM: kubeconform, RELT_KUBE_SCHEMAS: schemas } = process.env

interface Rendered {
  kind: string
  [member: string]: unknown
}

function render(values: object): Rendered[] {
  const args = ['template', 'r', chart, '--namespace', 'team', '--kube-version', '1.33.0', '--values', '-']
  const text = execFileSync(helm, args, { input: JSON.stringify(values), stdio: ['pipe', 'pipe', 'pipe'] }).toString()
  if (kubeconform && schemas) {
    const options = ['-strict', '-skip', 'ServiceMonitor', '-schema-location']
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

describe.runIf(hasHelm)('helm', () => {
  test('renders what the default install needs, which is nothing but a namespace', () => {
    const objects = render({})
    const kinds = ['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service', 'ServiceAccount']
    expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds)
    expect(JSON.stringify(objects)).not.toContain('secretKeyRef')
  })

  test.each(['deployment', 'cronjob'] as const)('renders the agent as the command prints it: %s', (form) => {
    const rendered = render({ server: { enabled: false }, agent: { enabled: true, form, config: { jobs } } })
    const options = { form, jobs, config: '', image: `registry.example/relt-agent:${version}`, namespace: 'team' }
    const all = { ...options, serverPort: 443 } as unknown as Parameters<typeof kubernetesFiles>[0]
    const printed = [configSecret(all), ...kubernetesFiles(all).flatMap(({ objects }) => objects)]
    const comparable = (object: object) => {
      const { kind, spec, rules } = JSON.parse(
        JSON.stringify(object)
          .replaceAll('r-agent', 'relt-agent')
          .replaceAll(/,"app.kubernetes.io\/instance":"r"/g, ''),
      )
      const allowed = (rules ?? []).flatMap(({ apiGroups, resources, verbs }: Record<string, string[]>) =>
        resources!.map((plural) => `${apiGroups} ${plural} ${verbs}`),
      )
      return { kind, spec, allowed: [...new Set(allowed)].sort() }
    }
    const sorted = (objects: Rendered[]) => objects.map(comparable).sort((a, b) => (a.kind < b.kind ? -1 : 1))
    expect(sorted(rendered)).toEqual(sorted(printed.filter(({ kind }) => kind !== 'Namespace')))
    const config = rendered.find(({ kind }) => kind === 'Secret') as unknown as { stringData: Record<string, string> }
    expect(parse(config.stringData['agent.yaml']!)).toEqual({ jobs })
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
      extraRules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['list'] }],
    },
    {
      enabled: true,
      form: 'cronjob',
      config: { jobs: [{ name: 'w', watch: { folder: '/data/in' } }] },
      secretName: 's',
    },
  ]
  return servers.flatMap((server) =>
    around.flatMap((more) =>
      agents.map((agent) => ({ server: { ...server, ...more }, agent, imagePullSecrets: [{ name: 'pull' }] })),
    ),
  )
}
