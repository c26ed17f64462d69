import { expect, test } from 'vitest'
import { day, openCatalogService } from '../service.ts'

/** Findings by severity; a mark after it for those without a fix: `4 LOW-`. */
type Findings = string[]

const image = (id: string, findings: Findings, more: { isFolder?: boolean; modified?: object[] } = {}) => ({
  SchemaVersion: 2,
  ArtifactName: more.isFolder ? 'services/web' : `shop/web:${id}`,
  ArtifactType: more.isFolder ? 'filesystem' : 'container_image',
  Metadata: more.isFolder ? {} : { ImageID: `sha256:${id.repeat(8)}`, OS: { Family: 'debian', Name: '12' } },
  Results: [
    {
      ...{ Target: 'web (debian 12)', Class: 'os-pkgs', Type: 'debian' },
      Vulnerabilities: findings.flatMap((said) => {
        const [many, severity] = said.split(' ') as [string, string]
        return Array.from({ length: Number(many) }, (_, i) => ({
          ...{ VulnerabilityID: `CVE-${severity}-${i}`, PkgName: 'openssl', InstalledVersion: '3.0.11' },
          ...{ Severity: severity.replace('-', ''), Title: 't' },
          ...(!severity.endsWith('-') && { FixedVersion: '3.0.13' }),
        }))
      }),
      ...(more.modified && { ExperimentalModifiedFindings: more.modified }),
    },
  ],
})

type Scan = ReturnType<typeof image>

async function compareAll(scans: Scan[]) {
  const { upload, clock, call } = await openCatalogService()
  for (const report of scans) {
    await upload([], { report, body: { cluster: { name: 'shop' } } })
    clock.now += day
  }
  const compared = await call('compareReports', { query: { cluster_name: 'shop' } })
  const { items } = await call('listFindings', { query: { cluster_name: 'shop', per_page: 100 } })
  return { compared, open: items.length }
}

test.each<[string, Scan[], { resolved: number; unseen: number; open: number }]>([
  [
    'the same image, filtered by severity',
    [image('a1', ['2 HIGH', '3 LOW']), image('a1', ['2 HIGH'])],
    { resolved: 0, unseen: 3, open: 5 },
  ],
  [
    'the same image, of which an ignore file takes one',
    [image('a1', ['2 HIGH']), image('a1', ['1 HIGH'])],
    { resolved: 0, unseen: 1, open: 2 },
  ],
  [
    'another image with fewer faults',
    [image('a1', ['2 HIGH', '3 LOW']), image('b2', ['1 HIGH', '1 LOW'])],
    { resolved: 3, unseen: 0, open: 2 },
  ],
  [
    'another image without its lone LOW',
    [image('a1', ['2 HIGH', '1 LOW']), image('b2', ['2 HIGH'])],
    { resolved: 1, unseen: 0, open: 2 },
  ],
  [
    'another image without its four LOW',
    [image('a1', ['2 HIGH', '4 LOW']), image('b2', ['2 HIGH'])],
    { resolved: 4, unseen: 0, open: 2 },
  ],
  [
    'another image, filtered by severity',
    [image('a1', ['2 HIGH', '5 LOW']), image('b2', ['1 HIGH'])],
    { resolved: 1, unseen: 5, open: 6 },
  ],
  [
    'another image and another after it, both filtered',
    [image('a1', ['2 HIGH', '5 LOW']), image('b2', ['2 HIGH']), image('c3', ['2 HIGH'])],
    { resolved: 0, unseen: 5, open: 7 },
  ],
  [
    'a scan without the filter decides',
    [image('a1', ['2 HIGH', '5 LOW']), image('b2', ['2 HIGH']), image('c3', ['2 HIGH', '2 LOW'])],
    { resolved: 3, unseen: 0, open: 4 },
  ],
  [
    'another image on distroless',
    [image('a1', ['2 HIGH', '50 LOW']), image('b2', [])],
    { resolved: 52, unseen: 0, open: 0 },
  ],
  [
    'another image, without what has no fix',
    [image('a1', ['2 HIGH', '5 HIGH-']), image('b2', ['2 HIGH'])],
    { resolved: 0, unseen: 5, open: 7 },
  ],
  [
    'another image, with one left that has no fix',
    [image('a1', ['2 HIGH', '6 HIGH-']), image('b2', ['2 HIGH', '1 HIGH-'])],
    { resolved: 5, unseen: 0, open: 3 },
  ],
  [
    'a folder, filtered by severity',
    [image('a1', ['2 HIGH', '5 LOW'], { isFolder: true }), image('a1', ['2 HIGH'], { isFolder: true })],
    { resolved: 0, unseen: 5, open: 7 },
  ],
])('%s', async (_, scans, expected) => {
  const { compared, open } = await compareAll(scans)
  expect({
    resolved: compared.resolved_findings_count,
    unseen: compared.not_looked_at_findings_count,
    open,
  }).toEqual(expected)
  expect(compared.not_looked_at_findings!.every(({ is_guessed }) => is_guessed)).toBe(true)
  expect(compared.new_findings_count + compared.regressed_findings_count).toBe(0)
})

test('what the report lists as ignored is suppressed, and not looked away from', async () => {
  const ignored = (ID: string) => ({
    ...{ Type: 'vulnerability', Status: 'ignored', Statement: 'Not reachable' },
    Finding: {
      VulnerabilityID: ID,
      PkgName: 'openssl',
      InstalledVersion: '3.0.11',
      FixedVersion: '3.0.13',
      Severity: 'HIGH',
      Title: 't',
    },
  })
  const { compared, open } = await compareAll([
    image('a1', ['2 HIGH']),
    image('a1', ['1 HIGH'], { modified: [ignored('CVE-HIGH-1')] }),
  ])
  expect(compared).toMatchObject({ suppressed_findings_count: 1, not_looked_at_findings_count: 0 })
  expect(open).toBe(1)
})
