import { expect, test } from 'vitest'
import { createTagReader } from '../../src/collectors/tag-reader.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'

const reader = (slug: string, tagPattern: string | null = null, chartNames: string[] = []) =>
  createTagReader({ url: `https://github.com/owner/${slug}`, slug, tagPattern, chartNames })

test.each<[tag: string, slug: string, pattern: string | null, charts: string[], expected: boolean | undefined]>([
  ['v1.2.3', 'x', null, [], false],
  ['1.2.3', 'x', null, [], false],
  ['v1.2.3-rc.1', 'x', null, [], true],
  ['jq-1.7', 'jq', null, [], false],
  ['grafana-7.0.1', 'grafana', null, ['grafana'], undefined],
  ['helm-chart-4.11.2', 'ingress-nginx', 'controller-v(.*)', [], undefined],
  ['controller-v1.11.2', 'ingress-nginx', 'controller-v(.*)', [], false],
  ['controller-v1.12.0-beta.0', 'ingress-nginx', 'controller-v(.*)', [], true],
  ['cluster-autoscaler-1.35.2', 'cluster-autoscaler', 'cluster-autoscaler-(.*)', [], false],
  ['cluster-autoscaler-chart-9.46.0', 'cluster-autoscaler', 'cluster-autoscaler-(.*)', [], undefined],
  ['vertical-pod-autoscaler-1.7.1', 'cluster-autoscaler', 'cluster-autoscaler-(.*)', [], undefined],
  ['chart-1.2.3', 'x', null, [], undefined],
  ['nightly', 'x', null, [], undefined],
  ['v1.2.3', 'x', '(', [], false],
])('of the tag %s for %s (%s %j) it says %s', (tag, slug, pattern, charts, expected) => {
  expect(reader(slug, pattern, charts)(tag)?.isPrerelease).toBe(expected)
})

test('takes what the bundled catalog holds, but for tags that a pattern leaves out, and variants', () => {
  const refused = new Set<string>()
  for (const project of bundledProjects()) {
    const { slug, repo_url: url, tag_pattern: tagPattern, helm_chart_names: chartNames } = project
    const read = createTagReader({ url, slug, tagPattern, chartNames })
    for (const { type, chartName, version } of project.releases) {
      if (type !== 'helm' && !chartName && !read(version)) refused.add(slug)
    }
  }
  // Tags of a repository of several projects have prefixes, which the catalog leaves out.
  const ofSharedRepositories = [
    'custom-metrics-stackdriver-adapter',
    'event-exporter',
    'fluentd-gcp-scaler',
    'kubelet-to-gcm',
    'ingress-nginx-kube-webhook-certgen',
    'kube-addon-manager',
    'kubernetes-pause',
    'prometheus-to-sd',
  ]
  const others = [...refused].filter((slug) => !ofSharedRepositories.includes(slug))
  expect(others).toEqual(['kubernetes-dashboard', 'tikv', 'uptime-kuma', 'volcano'])
})
