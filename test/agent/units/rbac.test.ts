import { expect, test } from 'vitest'
import { type JobSources, sourceFor } from '../../../src/agent/sources/index.ts'
import type { RbacRule } from '../../../src/agent/units/rbac.ts'
import { reportSources } from '../../../src/scan/report-source.ts'

function rulesFor(job: JobSources): RbacRule[] {
  const { source, from } = sourceFor(job)
  return source.access(from)
}

test('is read-only and never to secrets', () => {
  const rules = [rulesFor({ profile: 'p' }), ...reportSources.map((collect) => rulesFor({ collect }))].flat()
  expect(rules.length).toBeGreaterThan(5)
  for (const { apiGroups, resources, verbs } of rules) {
    expect(verbs).toEqual(['list'])
    expect([...apiGroups, ...resources]).not.toContain('*')
    expect(resources).not.toContain('secrets')
  }
})

test('covers the kinds of an inventory', () => {
  const listed = rulesFor({ profile: 'p' }).flatMap(({ resources }) => resources)
  expect(listed).toEqual(
    expect.arrayContaining(['pods', 'deployments', 'statefulsets', 'daemonsets', 'cronjobs', 'jobs']),
  )
})

test('of a profile has the kinds that the scanner asks for, and none that it does not', () => {
  const kinds = rulesFor({ profile: 'p' }).flatMap(({ apiGroups: [group], resources }) =>
    resources.map((plural) => (group === '' ? plural : `${plural}.${group}`)),
  )
  expect(kinds).toEqual(
    expect.arrayContaining(
      ['validatingadmissionpolicies', 'validatingadmissionpolicybindings'].map(
        (kind) => `${kind}.admissionregistration.k8s.io`,
      ),
    ),
  )
  for (const kind of ['csidrivers.storage.k8s.io', 'pods.metrics.k8s.io']) {
    expect(kinds).not.toContain(kind)
  }
})

test('is for what a job reads and no more', () => {
  const groups = rulesFor({ collect: 'policy-reports' }).flatMap(({ apiGroups }) => apiGroups)
  expect(groups).toEqual(expect.arrayContaining(['wgpolicyk8s.io', 'reports.x-k8s.io', 'openreports.io']))
  expect(groups).not.toContain('aquasecurity.github.io')
  expect(rulesFor({ watch: { folder: '/data/in', pattern: '*', keep: false } })).toEqual([])
})
