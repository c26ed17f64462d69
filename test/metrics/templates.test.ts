import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parser } from '@prometheus-io/lezer-promql'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { ClusterMetrics } from '../../src/contract/cluster-metrics.ts'
import { answersText } from '../../src/metrics/answers.ts'

const templates = fileURLToPath(new URL('../../templates', import.meta.url))
const guide = readFileSync(fileURLToPath(new URL('../../docs/alerts.md', import.meta.url)), 'utf8')

/** Everything is known of it, so that every metric has a sample. */
const known: ClusterMetrics = {
  ...{
    cluster_name: 'shop',
    environment: 'prod',
    provider: 'eks',
    kubernetes_version: 'v1.34.2',
    since: '2026-11-19 08:00:00',
    expected_every: 86_400,
  },
  scanners: [
    {
      ...{
        format: 'kubebuddy',
        last_scan: '2026-11-20 06:00:00',
        score: 80,
        findings: { critical: 1 },
        accepted: { critical: 0 },
      },
      ...{ changes: { new: { critical: 1 }, regressed: {}, resolved: {} }, checks_not_run: 0, gate: 'failed' },
    } as ClusterMetrics['scanners'][number],
  ],
  running: {
    coverage: 0.5,
    artifacts: { current: 1, behind: 0, out_of_support: 0, retired: 0, compromised: 0, unknown: 1 },
    advisories: [],
    support: [{ project: 'kubernetes', cycle: '1.34', ends_on: '2026-10-27' }],
    upgrade_blockers: { target: '1.35', count: 0 },
  },
}
const text = answersText(
  {
    ...{ success: true, catalog_date: '2026-11-20', advisories_date: '2026-11-20' },
    sources: [{ kind: 'github', is_up: true }],
    items: [known],
  },
  'prometheus',
)
const metrics = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))

/** The metrics that a query names; throws where it does not parse. */
function toMetrics(query: string): string[] {
  const names: string[] = []
  parser.parse(query).iterate({
    enter: ({ name, type, from, to }) => {
      if (type.isError) throw new Error(`${query.slice(0, from)} <- here, in ${query}`)
      if (name === 'Identifier' && query.slice(from, to).startsWith('relt_')) names.push(query.slice(from, to))
    },
  })
  return names
}

/** What Grafana puts in place of its variables. */
const withVariables = (query: string) => query.replaceAll(/\$\w+/g, '.*')

interface Rule {
  alert: string
  expr: string
  annotations: { summary: string; runbook_url: string }
}
const rules: Rule[] = parse(readFileSync(`${templates}/prometheus/relt.rules.yml`, 'utf8')).groups[0].rules

test('a query that is broken, or names another metric, is found', () => {
  expect(() => toMetrics('sum by (cluster (relt_cluster_score)')).toThrow('here')
  expect(toMetrics('relt_no_such_metric > 0')).toEqual(['relt_no_such_metric'])
})

describe.each(rules.map((rule) => [rule.alert, rule] as const))('%s', (name, { expr, annotations }) => {
  test('asks for metrics that exist', () => {
    const asked = toMetrics(expr)
    expect(asked.length).toBeGreaterThan(0)
    expect(asked.filter((metric) => !metrics.has(metric))).toEqual([])
  })

  test('has a section in the runbook', () => {
    expect(annotations.runbook_url).toBe(`docs/alerts.md#${name.toLowerCase()}`)
    expect(guide).toContain(`\n### ${name}\n`)
  })
})

interface Panel {
  id: number
  title: string
  datasource: { uid: string }
  targets: { expr: string; datasource: { uid: string } }[]
}

describe.each(globSync('*.json', { cwd: `${templates}/grafana` }))('the dashboard %s', (file) => {
  const board = JSON.parse(readFileSync(`${templates}/grafana/${file}`, 'utf8'))
  const panels: Panel[] = board.panels

  test('has panels whose queries ask for metrics that exist', () => {
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => toMetrics(withVariables(expr))))
    expect(asked.filter((metric) => !metrics.has(metric))).toEqual([])
    for (const { targets } of panels) expect(targets.length).toBeGreaterThan(0)
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  })

  test('counts once what two replicas of a server tell', () => {
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
    // The innermost call around each metric.
    const around = queries.flatMap((query) => [...query.matchAll(/([a-z ,()]*)\(relt_/g)].map(([, call]) => call!))
    expect(around.length).toBeGreaterThan(0)
    for (const call of around) expect(call).toMatch(/(min|max)( (by|without) \([a-z, ]+\) ?)?$/)
  })

  test('reads from any data source', () => {
    const sources = panels.flatMap(({ datasource, targets }) => [datasource, ...targets.map((one) => one.datasource)])
    expect(new Set(sources.map(({ uid }) => uid))).toEqual(new Set(['$' + '{datasource}']))
  })
})

test('the guide names every metric, and no other', () => {
  const [, section] = guide.split('\n## The metrics\n')
  const named = [...section!.split('\n## ')[0]!.matchAll(/`(relt_[a-z_]+)/g)].map(([, name]) => name)
  expect(new Set(named)).toEqual(metrics)
})
