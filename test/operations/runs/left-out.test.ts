import { expect, test } from 'vitest'
import { type FixtureName, fixture, type kubebuddyFixtures } from '../../reports/formats/fixture.ts'
import { day, openCatalogService } from '../service.ts'

type Name = FixtureName | (typeof kubebuddyFixtures)[number]
// biome-ignore lint/suspicious/noExplicitAny: reports of ten formats
type Json = any

/** A report without each part or place that its format states, by what is left out. */
type Cuts = (report: Json) => [what: string, cut: (report: Json) => void][]

const namesIn = (items: Json[], nameOf: (item: Json) => unknown): string[] =>
  [...new Set(items.map(nameOf))].filter((name): name is string => typeof name === 'string' && name !== '').sort()

/** Keeps what is in one namespace, which the report states only by having no other. */
const byNamespace = (list: string, namespaceOf: (item: Json) => unknown): Cuts => {
  return (report) =>
    namesIn(report[list], namespaceOf).map((name) => [
      `all namespaces but ${name}`,
      (cut) => Object.assign(cut, { [list]: cut[list].filter((item: Json) => namespaceOf(item) === name) }),
    ])
}

const byKind: Cuts = ({ items }) =>
  namesIn(items, ({ kind }) => kind).map((name) => [
    `the kind ${name}`,
    (cut) => Object.assign(cut, { items: cut.items.filter(({ kind }: Json) => (kind as unknown) !== name) }),
  ])

const ofMetadata = (item: Json) => item.metadata?.namespace as unknown

const cutsOf: Partial<Record<Name, Cuts[]>> = {
  kubebuddy: [
    ({ checks }) =>
      Object.keys(checks!).map((id) => [
        `the check ${id}`,
        (cut) => {
          delete cut.checks![id]
        },
      ]),
  ],
  'trivy-image': [
    () =>
      [['os-pkgs', 'lang-pkgs'], ['config'], ['secret']].map((classes) => [
        `the classes ${classes.join(', ')}`,
        (cut) =>
          Object.assign(cut, {
            Results: cut.Results.filter(({ Class }: Json) => !classes.includes(Class as unknown as string)),
          }),
      ]),
  ],
  'trivy-k8s-all': [byNamespace('Resources', ({ Namespace }) => Namespace)],
  'trivy-operator': [byKind, byNamespace('items', ofMetadata)],
  'kubescape-operator': [byKind, byNamespace('items', ofMetadata)],
  kubescape: [
    ({ summaryDetails }) =>
      Object.keys(summaryDetails.controls).map((id) => [
        `the control ${id}`,
        (cut) => {
          delete cut.summaryDetails.controls[id]
          for (const result of cut.results!)
            Object.assign(result, {
              controls: result.controls.filter((control: Json) => (control.controlID as unknown) !== id),
            })
          Object.assign(cut, { results: cut.results.filter(({ controls }: Json) => controls.length > 0) })
        },
      ]),
  ],
  'popeye-sections': [
    ({ popeye }) =>
      popeye.sections.map(({ linter }: Json, i: number) => [
        `the section ${linter}`,
        (cut: Json) => {
          cut.popeye.sections.splice(i, 1)
        },
      ]),
  ],
  polaris: [
    (report) =>
      byNamespace(
        'Results',
        ({ Namespace }) => Namespace,
      )(report).map(([what, cut]) => [
        `${what}, and says so`,
        (to) => {
          cut(to)
          Object.assign(to, { SourceType: 'ClusterNamespace' })
        },
      ]),
  ],
  // A report of the cluster about a namespace is listed with those of that one.
  'policy-report': [byNamespace('items', (item) => ofMetadata(item) ?? item.scope?.name)],
  'kube-bench': [
    ({ Controls }) =>
      Controls.map(({ node_type }: Json, i: number) => [
        `the nodes ${node_type}`,
        (cut: Json) => {
          cut.Controls.splice(i, 1)
          delete cut.Totals
        },
      ]),
  ],
}

const cases = Object.entries(cutsOf).flatMap(([name, cuts]) => {
  const report: Json = JSON.parse(fixture(name as Name))
  const isCut = (cut: (report: Json) => void) => {
    const part = structuredClone(report)
    cut(part)
    return JSON.stringify(part) !== JSON.stringify(report)
  }
  const made = cuts.flatMap((of) => of(report)).filter(([, cut]) => isCut(cut))
  return made.map(([what, cut]) => ({ name: name as Name, what, cut }))
})

async function openShop() {
  const { upload, clock, call } = await openCatalogService()
  const query = { cluster_name: 'shop', per_page: 100 }
  return {
    send: async (report: object) => {
      clock.now += day
      const time = { started_at: new Date(clock.now * 1000).toISOString() }
      await upload([], { report, body: { cluster: { name: 'shop' }, run: time } })
    },
    changes: async () => call('compareReports', { query: { cluster_name: 'shop' } }),
    open: async () => (await call('listFindings', { query })).items.map(({ fingerprint }) => fingerprint).sort(),
  }
}

test.each(cases)('a report of $name that leaves out $what resolves nothing of it', async ({ name, cut }) => {
  const whole: Json = JSON.parse(fixture(name))
  const part: Json = structuredClone(whole)
  cut(part)
  const shop = await openShop()
  await shop.send(whole)
  const before = await shop.open()
  await shop.send(part)
  expect((await shop.changes()).resolved_findings).toEqual([])
  expect(await shop.open()).toEqual(before)
  await shop.send(whole)
  expect(await shop.changes()).toMatchObject({
    new_findings: [],
    regressed_findings: [],
    first_seen_findings: [],
    resolved_findings: [],
  })
  expect(await shop.open()).toEqual(before)
})

test.each(cases)('a report of $name that has $what again makes nothing regressed', async ({ name, cut }) => {
  const whole: Json = JSON.parse(fixture(name))
  const part: Json = structuredClone(whole)
  cut(part)
  const shop = await openShop()
  await shop.send(part)
  await shop.send(whole)
  expect((await shop.changes()).regressed_findings).toEqual([])
})
