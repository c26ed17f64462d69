import { describe, expect, test } from 'vitest'
import { renderSarif } from '../../src/ci/sarif.ts'
import { upgradeFindings } from '../../src/ci/upgrade-findings.ts'
import { renderHeadline } from '../../src/cli/output/markdown.ts'
import type { UpgradePlan } from '../../src/contract/upgrade.ts'
import { judgeUpgrade } from '../../src/gate/judge-upgrade.ts'
import { upgradePage } from '../../src/html/pages/upgrade.ts'
import { View } from '../../src/html/pages/view.ts'
import { renderUpgrade } from '../../src/html/report/upgrade.ts'
import { upgradePlan } from '../../src/mcp/tools/upgrade.ts'
import { plainText } from '../../src/views/said.ts'
import { figureSaid, planHeadline, shortReasons, upgradeFigure, upgradeVerdict } from '../../src/views/upgrade.ts'
import { openCatalogService } from '../operations/service.ts'

const image = (fullRef: string, name: string) => ({
  fullRef,
  namespace: name,
  workloadKind: 'Deployment',
  workloadName: name,
})

/** Parts that are paired with a minor version of Kubernetes, and an app that nobody knows. */
async function usualPlan(): Promise<UpgradePlan> {
  const service = await openCatalogService()
  const images = [
    image('registry.k8s.io/autoscaling/cluster-autoscaler:v1.33.0', 'kube-system'),
    image('registry.k8s.io/kube-state-metrics/kube-state-metrics:v2.17.0', 'monitoring'),
    image('registry.example.com/shop/cart:1.0', 'shop'),
  ]
  const report = {
    metadata: { kubernetesVersion: 'v1.33.10', clusterName: 'shop' },
    artifacts: { images, helmCharts: [] },
    checks: {},
  }
  await service.upload([], { report, body: { cluster: { name: 'shop', environment: 'prod' } } })
  return service.call('getUpgradePlan', { query: { cluster_name: 'shop', to: '1.36' } })
}

const viewer = { login: 'ada', isPro: true, nonce: undefined, isReadOnly: false, team: null, teams: [] }

describe('a cluster with cluster-autoscaler, kube-state-metrics and an unknown app', () => {
  test('is neither BLOCKED nor CANNOT DETERMINE in any medium', async () => {
    const plan = await usualPlan()
    expect(plan.verdict).toBe('warnings')
    const query = { cluster_name: 'shop' }
    const view = new View({ path: '/upgrade', query, viewer, now: 0 })
    const page = await upgradePage.show({ params: {}, query, view, call: (async () => plan) as never })
    const tool = await upgradePlan.ask((async () => plan) as never, {}, { now: 0 } as never)
    const media = {
      terminal: plainText(upgradeVerdict(plan).words),
      status: plainText(figureSaid(upgradeFigure(plan))),
      markdown: renderHeadline(planHeadline(plan)),
      page: String(page.body),
      report: String(renderUpgrade({ upgrade: { found: plan }, redactor: { kinds: [] } } as never)),
      assistant: plainText(tool.said),
    }
    for (const [medium, text] of Object.entries(media)) {
      expect([medium, /BLOCKED|CANNOT DETERMINE/.test(text), text.includes('READY WITH WARNINGS')]).toEqual([
        medium,
        false,
        true,
      ])
    }
    const findings = upgradeFindings(plan)
    expect(findings.length).toBeGreaterThan(0)
    expect(findings.every(({ check_id }) => check_id === 'upgrade-not-stated')).toBe(true)
    expect(renderSarif({ run: { run_id: 'crun_1' } as never, result: {} }, findings, '1')).not.toContain('"error"')
    const rule = { text: 'upgrade-blockers', kind: 'upgrade-blockers' } as const
    const court = { plans: new Map([[rule.text, plan]]), exceptions: { forArtifact: () => undefined } }
    expect(judgeUpgrade(rule, court as never).verdict).toBe('undecided')
  })

  test('has an order: Kubernetes first, then what is paired with it', async () => {
    const { steps } = await usualPlan()
    const of = (hop: string) => steps.filter((step) => step.hop === hop).map(({ when }) => when)
    expect(of('1.34')).toEqual(['kubernetes', 'nodes', 'after', 'after'])
  })
})

test('a blocker is an error of SARIF, with what a published source says', () => {
  const reasons = [{ word: 'blocked' as const, project_slug: 'rancher', says: 'Rancher 2.15 requires 1.36 at most.' }]
  const part = {
    project_slug: 'rancher',
    name: 'Rancher',
    current_version: '2.15.0',
    needs: 'blocked' as const,
    to_version: null,
    via: [],
    coupled: true,
    workloads: [],
    evidence: [{ kind: 'required' as const, says: '', source: 'https://rancher.example/', as_of: null }],
  }
  const [finding] = upgradeFindings({ to: '1.37', parts: [part], reasons })
  expect(finding).toMatchObject({ check_id: 'upgrade-blocked', severity: 'high', helpUri: 'https://rancher.example/' })
})

test('the headline in Markdown escapes what reports name', () => {
  expect(renderHeadline(['BLOCKED (1)', '<b>|x* is not'])).toBe('### BLOCKED (1)\n\n- \\<b\\>\\|x\\* is not\n\n')
})

test('of many parts that nobody states anything about, small places name the others', () => {
  const silent = Array.from({ length: 8 }, (_, index) => ({
    word: 'not_stated' as const,
    project_slug: `p${index}`,
    says: `About ${index}.`,
  }))
  const reasons = [
    ...silent,
    { word: 'not_stated' as const, project_slug: null, says: 'An API version goes.' },
    { word: 'blocked' as const, project_slug: 'x', says: 'It blocks.' },
  ]
  const parts = [{ project_slug: 'p7', name: 'Seven' }] as UpgradePlan['parts']
  const texts = shortReasons({ reasons, parts }).map(plainText)
  expect(texts[0]).toBe('It blocks')
  expect(texts).toHaveLength(7)
  expect(texts.at(-1)).toBe('Not stated either: p5, p6, Seven, 1 fact about the cluster')
})
