import { describe, expect, test } from 'vitest'
import { compareRuns } from '../../../src/reports/compare.ts'
import { runOfReport } from '../scan.ts'

/** A report about these machines, of which some fail a check. */
type MakeReport = (machines: string[], failing: string[]) => object

const list = (items: object[]) => ({ apiVersion: 'v1', kind: 'List', items })

const formats: Record<string, MakeReport> = {
  popeye: (machines, failing) => {
    const issue = {
      group: '__root__',
      gvr: 'v1/nodes',
      level: 3,
      message: '[POP-700] Found taint "a" but no pod can tolerate',
    }
    const issues = Object.fromEntries(machines.map((name) => [name, failing.includes(name) ? [issue] : []]))
    const tally = { ok: machines.length - failing.length, info: 0, warning: 0, error: failing.length, score: 50 }
    return { popeye: { score: 80, grade: 'B', sections: [{ linter: 'nodes', gvr: 'v1/nodes', tally, issues }] } }
  },
  kubescape: (machines, failing) => {
    const control = (id: string, status: string) => ({ controlID: id, name: id, status: { status } })
    const summary = (id: string, failedResources: number) => ({
      ...control(id, failedResources > 0 ? 'failed' : 'passed'),
      scoreFactor: 7,
      ResourceCounters: { failedResources },
    })
    return {
      summaryDetails: { controls: { 'C-0069': summary('C-0069', failing.length), 'C-0070': summary('C-0070', 0) } },
      results: machines.map((name) => ({
        resourceID: `/v1//Node/${name}`,
        controls: [control('C-0069', failing.includes(name) ? 'failed' : 'passed'), control('C-0070', 'passed')],
      })),
    }
  },
  'policy report': (machines, failing) => {
    const results = machines.flatMap((name) => {
      const resources = [{ apiVersion: 'v1', kind: 'Node', name }]
      const result = failing.includes(name) ? 'fail' : 'pass'
      return [
        { policy: 'taints', result, severity: 'high', message: 'no taint', resources },
        { policy: 'labels', result: 'pass', severity: 'high', resources },
      ]
    })
    return list([
      { apiVersion: 'wgpolicyk8s.io/v1alpha2', kind: 'ClusterPolicyReport', metadata: { name: 'all' }, results },
    ])
  },
  'trivy-operator': (machines, failing) =>
    list(
      machines.map((name) => {
        const labels = { 'trivy-operator.resource.kind': 'Node', 'trivy-operator.resource.name': name }
        const success = !failing.includes(name)
        const check = { checkID: 'KCV0077', title: 'Kubelet', severity: 'HIGH', success, messages: ['is wrong'] }
        const [apiVersion, kind] = ['aquasecurity.github.io/v1alpha1', 'ClusterInfraAssessmentReport']
        return { apiVersion, kind, metadata: { name: `node-${name}`, labels }, report: { checks: [check] } }
      }),
    ),
}

const schemes: Record<string, (letter: string) => string> = {
  'of a pool': (letter) => `gke-shop-user-ca8d1da3-${letter.repeat(4)}`,
  'of any name': (letter) => `talos-${letter}1b-x2z`,
}

describe.each(Object.entries(formats))('machines %s', (_, report) => {
  describe.each(Object.entries(schemes))('%s', (_, toName) => {
    const names = (letters: string) => [...letters].map(toName)
    const told = async (from: [string, string], to: [string, string]) => {
      const [before, after] = await Promise.all(
        [from, to].map(([all, failing]) => runOfReport(report(names(all), names(failing)))),
      )
      const found = await compareRuns(before!, after!, async () => new Set())
      const regressed = found.regressed.map(({ resource, from, to }) => `${resource} ${from?.count} → ${to?.count}`)
      return { regressed, others: [found.new, found.resolved, found.changed].map(({ length }) => length) }
    }

    test('that are replaced tell nothing', async () => {
      expect(await told(['ab', 'a'], ['cd', 'c'])).toEqual({ regressed: [], others: [0, 0, 0] })
    })
    test('that are more, and all fail, are a figure', async () => {
      expect(await told(['ab', 'ab'], ['abc', 'abc'])).toEqual({ regressed: [], others: [0, 0, 1] })
    })
    test('of which one more fails are told', async () => {
      const regressed = [`node/${toName('b')} 1 → 2`]
      expect(await told(['abc', 'a'], ['abc', 'ab'])).toEqual({ regressed, others: [0, 0, 0] })
    })
    test('of which one recovers while another fails are told', async () => {
      const regressed = [`node/${toName('b')} 1 → 1`]
      expect(await told(['abc', 'a'], ['abc', 'b'])).toEqual({ regressed, others: [0, 0, 0] })
    })
  })
})
