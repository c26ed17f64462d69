import { describe, expect, test } from 'vitest'
import { askMachines } from '../../../scripts/catalog/candidates/ask-machines.ts'
import { type Candidate, mergeCandidates } from '../../../scripts/catalog/candidates/candidate.ts'
import {
  findArchived,
  findDeprecatedCharts,
  findDiscontinued,
  findMalicious,
  findRetracted,
} from '../../../scripts/catalog/candidates/facts.ts'
import { findMoved } from '../../../scripts/catalog/candidates/moved.ts'

const url = 'https://github.com/acme/shop'
const repositoryWith = (texts: Record<string, string>) => ({ day: '2026-08-22', files: new Map(Object.entries(texts)) })

describe('the module file', () => {
  const retractedIn = (text: string) => findRetracted(repositoryWith({ 'go.mod': text }))

  test('retracts versions and ranges, with the reason', () => {
    const text = `module example.com/shop

require example.com/cart v1.0.0

retract v1.0.1 // Published by accident.

retract (
	v0.32.0 // Half done.
	[v1.1.0, v1.1.9]
)

require example.com/mall v2.0.0
`
    expect(retractedIn(text)).toEqual([
      { at: 'go.mod#L5', state: 'retracted', version: '1.0.1', evidence: 'Published by accident.' },
      { at: 'go.mod#L8', state: 'retracted', version: '0.32.0', evidence: 'Half done.' },
      { at: 'go.mod#L9', state: 'retracted', version: '>=1.1.0 <=1.1.9', evidence: 'retract' },
    ])
  })

  test('retracts nothing in comments, replacements and excludes', () => {
    expect(retractedIn('// retract v1.0.0\nexclude example.com/cart v1.0.0\nreplace a => b v1.0.0\n')).toEqual([])
  })
})

test('a chart is deprecated by its own word only', () => {
  const repository = repositoryWith({
    'charts/old/Chart.yaml': 'name: old\nversion: 1.2.3\ndeprecated: true\n',
    'charts/new/Chart.yaml': 'name: new\nversion: 1.2.3\ndeprecated: false\n',
    'charts/odd/Chart.yaml': 'name: odd\ndescription: "deprecated: true"\nannotations:\n  deprecated: "true"\n',
    'charts/new/charts/mall/Chart.yaml': 'name: mall\ndeprecated: true\n',
    'pkg/testdata/cart/Chart.yaml': 'name: cart\ndeprecated: true\n',
  })
  expect(findDeprecatedCharts(repository).map(({ chart }) => chart)).toEqual(['old'])
})

test("the CNCF's list archives the items that say so", () => {
  const landscape = `landscape:
  - category:
    items:
      - item:
        name: Living
        project: sandbox
      - item:
        name: Ended
        project: archived
        extra:
          accepted: '2022-06-17'
          archived: '2025-05-22'
      - item:
        name: Archiver
        description: |-
          project: archives mail
`
  expect(findArchived(repositoryWith({ 'landscape.yml': landscape }))).toMatchObject([
    { name: 'Ended', state: 'archived', since: '2025-05-22' },
  ])
})

describe('a product of endoflife.date', () => {
  const page = (tags: string, ...ends: string[]) =>
    `---\ntitle: Shop\ntags: ${tags}\nreleases:\n${ends.map((end, at) => `  - releaseCycle: "${at}"\n    eol: ${end}\n`).join('')}---\n`
  const read = (text: string) => findDiscontinued(repositoryWith({ 'products/shop.md': text }))

  test('ended with its last cycle', () => {
    const [found] = read(page('discontinued os', '2024-06-30', 'true', '2020-11-30'))
    expect(found).toMatchObject({ name: 'Shop', since: '2024-06-30' })
  })

  test.each([
    ['still has a cycle', page('discontinued', '2024-06-30', 'false')],
    ['has a cycle that ends later', page('discontinued', '2024-06-30', '2026-08-23')],
    ['is not discontinued, though no cycle is left', page('os', '2024-06-30')],
    ['is none', 'Nothing.'],
  ])('lives if it %s', (_, text) => {
    expect(read(text)).toEqual([])
  })
})

test('malware is what the list of exploited vulnerabilities calls malicious code', () => {
  const entry = (cveID: string, vulnerabilityName: string) => ({
    ...{ cveID, vulnerabilityName, vendorProject: 'Acme', product: 'Scanner', dateAdded: '2026-03-26' },
  })
  const text = JSON.stringify({
    vulnerabilities: [
      entry('CVE-2026-1', 'Acme Scanner Embedded Malicious Code Vulnerability'),
      entry('CVE-2026-2', 'Acme Scanner Code Injection Vulnerability'),
    ],
  })
  const found = findMalicious(repositoryWith({ 'known_exploited_vulnerabilities.json': text }))
  expect(found.map(({ evidence }) => evidence)).toEqual(['CVE-2026-1'])
})

test.each([
  ['The images moved from Docker Hub to quay.io/acme/shop.', ['Docker Hub']],
  ['Images at gcr.io/acme/shop are deprecated.', ['gcr.io/acme/shop']],
  ['The image is at quay.io/acme/shop.', []],
  ['We moved to gcr.io/acme once.', []],
  ['The image is deprecated.', []],
])('an image or chart moves: %s', (text, names) => {
  const found = findMoved(repositoryWith({ 'README.md': text, 'docs/guide.md': 'The images moved to quay.io.' }))
  expect(found.map(({ name }) => name)).toEqual(names)
})

test('a repository is asked by each machine, for all projects that it has', () => {
  const { day, files } = repositoryWith({
    'README.md': '# Shop\n\nThis project is deprecated.\n',
    'CHANGELOG.md': '## 1.2.3\n\nDo not use this release.\n',
    'go.mod': 'module example.com/shop\nretract v1.0.0\n',
    'charts/shop/Chart.yaml': 'name: shop\ndeprecated: true\n',
  })
  const owners = [
    { slug: 'shop', name: 'Shop' },
    { slug: 'cart', name: 'Cart' },
  ]
  const found = askMachines({ url, day, files, owners, slugs: new Map() })
  expect(found.map(({ machine }) => machine)).toEqual(['readme', 'notes', 'module', 'chart'])
  expect(new Set(found.map(({ projects }) => projects?.join()))).toEqual(new Set(['shop,cart']))
  expect(found[0]).toMatchObject({ source: `${url}/blob/HEAD/README.md#L3`, as_of: day, verdict: 'open' })
})

test('an organisation of retired repositories has archived ones only', () => {
  const ask = (address: string) =>
    askMachines({ url: address, owners: [], slugs: new Map(), ...repositoryWith({ 'README.md': '# Shop\n' }) })
  expect(ask('https://github.com/acme-retired/shop')).toMatchObject([{ state: 'archived', name: 'shop' }])
  expect(ask('https://github.com/retired-people/shop')).toEqual([])
})

describe('a later build', () => {
  const row = (verdict: Candidate['verdict'], name = 'shop', line = 1): Candidate => ({
    machine: 'readme',
    name,
    state: 'retired',
    evidence: 'deprecated',
    source: `${url}/blob/HEAD/README.md#L${line}`,
    as_of: '2026-08-01',
    verdict,
  })

  test('keeps the verdict where the line moves, and takes the new day', () => {
    const found = { ...row('open', 'shop', 7), as_of: '2026-09-01' }
    const merged = mergeCandidates([row('rejected')], [found], new Set([url]))
    expect(merged).toEqual([{ ...found, verdict: 'rejected' }])
  })

  test('drops an open row that is no longer there, but none with a verdict', () => {
    const before = [row('open', 'a'), row('confirmed', 'b')]
    expect(mergeCandidates(before, [], new Set([url]))).toEqual([row('confirmed', 'b')])
  })

  test('keeps open rows of repositories that it did not read', () => {
    expect(mergeCandidates([row('open')], [], new Set([`${url}-operator`]))).toEqual([row('open')])
  })
})
