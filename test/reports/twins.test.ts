import { describe, expect, test } from 'vitest'
import { openService } from '../operations/service.ts'
import { scan } from './scan.ts'

/** The checks that each pod fails. */
const checks = ['A1', 'A2', 'A3', 'A4', 'A5']
const namespace = 'shop'

/** Reports that list the same pods; `bare`: those that nothing owns. */
const formats: Record<string, (pods: string[], bare: string[]) => object> = {
  KubeBuddy: (pods, bare) =>
    scan(
      [
        ...pods.flatMap((pod) => checks.map((check) => ({ check, namespace, resource: `pod/${pod}` }))),
        ...bare.map((pod) => ({ check: 'POD010', namespace, resource: `pod/${pod}`, message: 'Pod is not managed' })),
      ],
      { passed: ['POD010'] },
    ),
  'KubeBuddy without POD010': (pods) =>
    scan(pods.flatMap((pod) => checks.map((check) => ({ check, namespace, resource: `pod/${pod}` })))),
  'policy reports': (pods) => ({
    apiVersion: 'v1',
    kind: 'List',
    items: pods.map((name) => ({
      apiVersion: 'wgpolicyk8s.io/v1alpha2',
      kind: 'PolicyReport',
      metadata: { name, namespace },
      scope: { kind: 'Pod', name, namespace },
      summary: { fail: checks.length },
      results: checks.map((policy) => ({ policy, result: 'fail', severity: 'high', source: 'kyverno' })),
    })),
  }),
  Trivy: (pods) => ({
    ClusterName: 'made',
    Resources: pods.map((Name) => ({
      Namespace: namespace,
      Kind: 'Pod',
      Name,
      Results: [
        {
          Target: `Pod/${Name}`,
          Class: 'config',
          Type: 'kubernetes',
          MisconfSummary: { Successes: 1, Failures: checks.length, Exceptions: 0 },
          Misconfigurations: checks.map((ID) => ({
            ID,
            Title: ID,
            Message: 'is wrong',
            Severity: 'HIGH',
            Status: 'FAIL',
          })),
        },
      ],
    })),
  }),
  Popeye: (pods, bare) => ({
    popeye: {
      score: 50,
      sections: [
        {
          linter: 'pods',
          gvr: 'v1/pods',
          tally: { ok: 0, info: 0, warning: pods.length, error: 0, score: 0 },
          issues: Object.fromEntries(
            pods.map((pod) => [
              `${namespace}/${pod}`,
              [
                ...checks.map((_, i) => `[POP-10${i}] is wrong`),
                ...(bare.includes(pod) ? ['[POP-208] Unmanaged pod detected. Best to use a controller'] : []),
              ].map((message) => ({ group: '__root__', gvr: 'v1/pods', level: 2, message })),
            ]),
          ),
        },
      ],
    },
  }),
}

const pairs = [
  ['toolbox-1', 'toolbox-2'],
  ['db-1', 'db-11'],
  ['tool-20261120', 'tool-20261127'],
  ['toolbox-x7k2p', 'toolbox-b4z9q'],
] as const

async function compare(format: string, before: string[], after: string[], bare: string[]) {
  const { upload, call, clock } = await openService()
  for (const pods of [before, after]) {
    clock.now += 3600
    const report = formats[format]!(
      pods,
      bare.filter((pod) => pods.includes(pod)),
    )
    const run = { finished_at: new Date(clock.now * 1000).toISOString() }
    await upload([], { report, body: { cluster: { name: 'made' }, run } })
  }
  const { new_findings, resolved_findings, renamed_findings_count } = await call('compareReports', {
    query: { cluster_name: 'made' },
  })
  const of = (found: { check_id: string; resource: string | null }[]) =>
    new Set(found.filter(({ check_id }) => !/POD010|POP-208/.test(check_id)).map(({ resource }) => resource))
  return { came: of(new_findings), gone: of(resolved_findings), renamed: renamed_findings_count }
}

describe.each(Object.keys(formats))('pods of one stem that nothing owns, in %s', (format) => {
  test.each(pairs)('%s, and then %s beside it', async (first, second) => {
    expect(await compare(format, [first], [first, second], [first, second])).toEqual({
      came: new Set([`pod/${second}`]),
      gone: new Set(),
      renamed: 0,
    })
  })

  test.each(pairs)('%s, and then %s in its place', async (first, second) => {
    expect(await compare(format, [first], [second], [first, second])).toEqual({
      came: new Set([`pod/${second}`]),
      gone: new Set([`pod/${first}`]),
      renamed: 0,
    })
  })
})
