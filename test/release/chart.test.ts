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
    const options = ['-strict', '-skip', 'ServiceMonitor,PodMonitor', '-schema-location']
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

/** As `relt agent manifests` prints them. */
function printedObjects(options: object): Rendered[] {
  const own = { config: '', image: `registry.example/relt-agent:${version}`, namespace: 'team' }
  const all = { ...own, ...options } as Parameters<typeof kubernetesFiles>[0]
  const objects = [configSecret(all), ...kubernetesFiles(all).flatMap(({ objects }) => objects)]
  return objects.filter(({ kind }) => kind !== 'Namespace')
}

/** Without what only the chart knows. */
function comparables(objects: Rendered[]) {
  const comparable = (object: object) => {
    const { kind, spec, rules } = JSON.parse(
      JSON.stringify(object)
        .replaceAll('r-agent', 'relt-agent')
        .replaceAll(/,"app.kubernetes.io\/instance":"r"/g, '')
        .replaceAll('"imagePullPolicy":"IfNotPresent",', ''),
    )
    const allowed = (rules ?? []).flatMap(
      ({ apiGroups, resources, nonResourceURLs, verbs }: Record<string, string[]>) =>
        (resources ?? nonResourceURLs)!.map((plural) => `${apiGroups ?? ''} ${plural} ${verbs}`),
    )
    return { kind, spec, allowed: [...new Set(allowed)].sort() }
  }
  return objects.map(comparable).sort((a, b) => (a.kind < b.kind ? -1 : 1))
}

describe.runIf(hasHelm)('helm', () => {
  test('renders what the default install needs, which is nothing but a namespace', () => {
    const objects = render({})
    const kinds = ['Deployment', 'NetworkPolicy', 'PersistentVolumeClaim', 'Service', 'ServiceAccount']
    expect(objects.map(({ kind }) => kind).sort()).toEqual(kinds)
    expect(JSON.stringify(objects)).not.toContain('secretKeyRef')
  })

  test.each(['deployment', 'cronjob'] as const)('renders the agent as the command prints it: %s', (form) => {
    const rendered = render({ server: { enabled: false }, agent: { enabled: true, form, config: { jobs } } })
    expect(comparables(rendered)).toEqual(comparables(printedObjects({ form, jobs, serverPort: 443 })))
    const config = rendered.find(({ kind }) => kind === 'Secret') as unknown as { stringData: Record<string, string> }
    expect(parse(config.stringData['agent.yaml']!)).toEqual({ jobs })
  })

  test.each(['deployment', 'cronjob'] as const)('renders all options of the agent as the command does: %s', (form) => {
    const place = { caBundle: 'corporate', nodeLocalDns: 'fd00::10' }
    const config = { health_port: 9464, health_host: '0.0.0.0', jobs: [{ ...jobs[1], deprecated_apis: true }] }
    const podMonitor = { enabled: form === 'deployment' }
    const more = { serverPort: 8443, ports: [443, 9000, 8443], openshift: true, podMonitor }
    const rendered = render({ server: { enabled: false }, agent: { enabled: true, form, config, ...place, ...more } })
    const printed = printedObjects({
      ...{ form, jobs: config.jobs, ...place, serverPort: 8443, ports: [443, 9000], isOpenshift: true },
      ...(podMonitor.enabled && { metricsPort: 9464 }),
    })
    expect(comparables(rendered)).toEqual(comparables(printed))
  })

  test.each([
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
      ...{ openshift: true, caBundle: 'corporate', nodeLocalDns: '169.254.20.10' },
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
