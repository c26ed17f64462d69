import { describe, expect, test } from 'vitest'
import aliases from '../../src/util/project-aliases.json' with { type: 'json' }
import { nameKey, namesMeant, projectsMeant } from '../../src/util/project-name.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'

const bundled = bundledProjects()
const casings = (text: string) => [text, text.toLowerCase(), text.toUpperCase()]
const slugsMeant = (typed: string) => projectsMeant(bundled, typed).map(({ slug }) => slug)

describe('each of the bundled projects', () => {
  test('is meant alone by its slug and by its name, in any case', () => {
    expect(bundled.length).toBeGreaterThan(800)
    const wrong = bundled.flatMap(({ slug, name }) =>
      [...casings(slug), ...casings(name)].filter((typed) => slugsMeant(typed).join() !== slug),
    )
    expect(wrong).toEqual([])
  })

  test('is meant by its name with hyphens or underscores in place of spaces', () => {
    for (const { slug, name } of bundled) {
      expect([slugsMeant(name.replaceAll(' ', '-')), slugsMeant(name.replaceAll(' ', '_'))]).toEqual([[slug], [slug]])
    }
  })

  test('is found by its slug where only names are known', () => {
    const named = bundled.map(({ name }) => ({ name }))
    const wrong = bundled.filter(({ slug, name }) => projectsMeant(named, slug)[0]?.name !== name)
    expect(wrong.map(({ slug }) => slug)).toEqual([])
  })
})

describe('short names', () => {
  test.each([
    ['k8s', ['kubernetes']],
    ['kube', ['kubernetes']],
    ['postgres', ['postgresql']],
    ['pg', ['postgresql']],
    ['PostgreSQL', ['postgresql']],
    ['Kafka', ['apache-kafka']],
    ['vault', ['vault']],
    ['es', ['elasticsearch']],
    ['ELASTIC', ['elasticsearch']],
    ['mongo', ['mongodb']],
    ['rabbit', ['rabbitmq']],
    ['argocd', ['argo-cd']],
    ['argo', ['argo-cd', 'argo-events', 'argo-rollouts', 'argo-workflows']],
    ['tekton', ['tekton-chains', 'tekton-dashboard', 'tekton-pipelines', 'tekton-triggers']],
    ['ingress', ['haproxy-ingress', 'ingress-nginx', 'nginx-ingress']],
    ['elk', ['elasticsearch', 'kibana', 'logstash']],
    ['cert-manager', ['cert-manager']],
    ['certmanager', ['cert-manager']],
    ['nginx', ['nginx']],
    ['ingress-nginx', ['ingress-nginx']],
    ['prom', ['prometheus']],
    ['otel', ['opentelemetry']],
    ['istio', ['istio']],
    ['flux', ['flux']],
    ['go', ['golang']],
    ['constructor', []],
    ['__proto__', []],
    ['', []],
  ])('%s means %j', (typed, slugs) => {
    expect(slugsMeant(typed).sort()).toEqual(slugs)
  })

  test('are written as they are compared, and name projects that there are', () => {
    const names = new Set(bundled.map(({ name }) => name))
    for (const [short, meant] of Object.entries(aliases)) {
      expect(short).toBe(nameKey(short))
      expect(meant.filter((name) => !names.has(name))).toEqual([])
    }
  })

  test('give way to a project that is called so', () => {
    const projects = [{ name: 'Kubernetes' }, { name: 'K8s' }]
    expect(projectsMeant(projects, 'k8s')).toEqual([{ name: 'K8s' }])
    expect(projectsMeant([{ name: 'Kubernetes' }, { name: 'Ours', slug: 'k8s' }], 'K8S')).toMatchObject([
      { name: 'Ours' },
    ])
    expect(namesMeant('K8s')).toEqual(['Kubernetes'])
  })

  test('name two that are called the same', () => {
    expect(projectsMeant([{ name: 'Vault' }, { name: 'HashiCorp Vault', slug: 'vault' }], 'vault')).toHaveLength(2)
  })
})
