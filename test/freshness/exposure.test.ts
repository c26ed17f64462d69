import { describe, expect, test } from 'vitest'
import { assessArtifacts, type ExposureQuestion, exposureFor, prepareCatalog } from '../../src/freshness/index.ts'
import { catalogFor, now, type ProjectFacts } from './catalog.ts'

const lines: ProjectFacts = {
  slug: 'proxy',
  images: ['docker.io/acme/proxy'],
  app: [
    '1.32.0 2026-05-01',
    '1.31.2 2026-04-10',
    '1.31.1 2026-03-10',
    '1.31.0 2026-02-01',
    '1.30.3 2026-04-20',
    '1.30.2 2026-03-10',
    '1.30.1 2026-02-10',
    '1.29.9 2026-03-10',
    '1.29.8 2026-02-10',
    '1.28.0 2025-09-01',
  ],
  pre: ['1.33.0-rc.1 2026-05-20'],
}

const ids = new Map<string, number>(
  [...lines.app!, ...lines.pre!].map((text, index) => [text.split(' ')[0]!, index + 1]),
)

function found(tag: string, question: ExposureQuestion, facts = lines) {
  const known = prepareCatalog(catalogFor(facts), now)
  const place = { namespace: 'a', workload: 'deployment/w', helmChart: null, helmRelease: null }
  const [image] = assessArtifacts(
    {
      images: [{ reference: `acme/proxy${tag}`, ...place }],
      charts: [],
      apps: [],
      kubernetesVersion: null,
      imageSource: 'artifacts',
    },
    known,
  )
  return exposureFor(image!, question)
}

function exposure(tag: string, question: ExposureQuestion, facts = lines) {
  const told = found(tag, question, facts)
  return told && `${told.fix!.version.text}${told.isCertain ? '' : ' ?'}`
}

const fixedIn = (...versions: string[]): ExposureQuestion => ({
  kind: 'advisories',
  ids: new Set(),
  fixes: new Set(versions.map((version) => ids.get(version)!)),
})

describe('what an advisory concerns', () => {
  test.each<[tag: string, fixes: string[], wanted: string | undefined]>([
    // Each line has its fix.
    [':1.29.8', ['1.31.1', '1.30.2', '1.29.9'], '1.29.9'],
    [':1.29.9', ['1.31.1', '1.30.2', '1.29.9'], undefined],
    [':1.30.1', ['1.31.1', '1.30.2', '1.29.9'], '1.30.2'],
    [':1.30.3', ['1.31.1', '1.30.2', '1.29.9'], undefined],
    [':v1.31.0-alpine', ['1.31.1', '1.30.2', '1.29.9'], '1.31.1'],
    [':1.32.0', ['1.31.1', '1.30.2', '1.29.9'], undefined],
    // Older than every line that has one.
    [':1.28.0', ['1.31.1', '1.30.2', '1.29.9'], '1.29.9'],
    [':1.2.0', ['1.31.1', '1.30.2', '1.29.9'], '1.29.9'],
    // A later release that tells of it again is no new fix.
    [':1.31.1', ['1.31.2', '1.31.1'], undefined],
    [':1.31.0', ['1.31.2', '1.31.1'], '1.31.1'],
    // A line without a fix of its own: it depends on whether anybody knew when it came out.
    [':1.30.1', ['1.31.1', '1.29.9'], '1.31.1'],
    [':1.30.3', ['1.31.1', '1.29.9'], undefined],
    [':1.30.99', ['1.31.1', '1.29.9'], '1.31.1'],
    // What states no version could be either.
    [':1.30', ['1.31.1', '1.30.2', '1.29.9'], '1.30.2 ?'],
    [':1', ['1.31.1', '1.30.2', '1.29.9'], '1.29.9 ?'],
    [':1.32', ['1.31.1', '1.30.2', '1.29.9'], undefined],
    [':1.28', ['1.31.1', '1.30.2', '1.29.9'], '1.29.9'],
    [':latest', ['1.31.1'], '1.31.1 ?'],
    ['', ['1.31.1'], '1.31.1 ?'],
    [`@sha256:${'a'.repeat(64)}`, ['1.31.1'], '1.31.1 ?'],
    // Fixed in a pre-release alone, which does not count for who runs stable versions.
    [':1.32.0', ['1.33.0-rc.1'], undefined],
    [':1.31.0', [], undefined],
  ])('%s, fixed in %j', (tag, fixes, wanted) => {
    expect(exposure(tag, fixedIn(...fixes))).toBe(wanted)
  })

  test('a project without lines counts from its first fix', () => {
    const facts = { ...lines, app: ['3 2026-03-01', '2 2026-02-01', '1 2026-01-01'], pre: [] }
    const question: ExposureQuestion = { kind: 'advisories', ids: new Set(), fixes: new Set([1, 2]) }
    expect(exposure(':1', question, facts)).toBe('2')
    expect(exposure(':2', question, facts)).toBeUndefined()
  })
})

test.each<[tag: string, release: string, wanted: string | undefined]>([
  [':1.31.1', '1.31.2', '1.31.2'],
  [':1.31.2', '1.31.2', undefined],
  [':1.32.0', '1.31.2', undefined],
  [':1.29.8', '1.30.3', '1.30.3'],
  [':1.31', '1.31.2', '1.31.2 ?'],
  [':1.30', '1.31.2', '1.31.2'],
  [':latest', '1.31.2', '1.31.2 ?'],
  [':1.32.0', '1.33.0-rc.1', undefined],
  [':1.33.0-beta.1', '1.33.0-rc.1', '1.33.0-rc.1'],
])('%s is asked about the release %s', (tag, release, wanted) => {
  expect(exposure(tag, { kind: 'release', id: ids.get(release)! })).toBe(wanted)
})

test('any security fix counts when nothing in particular is asked for', () => {
  const facts = { ...lines, fixes: { '1.31.1': 'high' as const } }
  expect(exposure(':1.31.0', { kind: 'security' }, facts)).toBe('1.31.1')
  expect(exposure(':1.31.1', { kind: 'security' }, facts)).toBeUndefined()
  expect(exposure(':latest', { kind: 'security' }, facts)).toBeUndefined()
})

test.each([
  // The last fix of the line, and what is worst of those before it.
  [':1.31.0', '1.31.2 critical'],
  [':1.31.1', '1.31.2 low'],
  // No fix of its own line: the nearest.
  [':1.30.1', '1.31.1 critical'],
])('%s behind several security fixes wants %s', (tag, wanted) => {
  const facts = { ...lines, fixes: { '1.31.1': 'critical', '1.31.2': 'low' } as const }
  const { fix, severity } = found(tag, { kind: 'security' }, facts)!
  expect(`${fix!.version.text} ${severity}`).toBe(wanted)
})

test('the step of a question about a fix has that fix, where the step to take has it not', () => {
  const range = (id: string, severity: 'high' | 'low', fixed: string) => ({
    id,
    aliases: [],
    severity,
    score: null,
    publishedAt: null,
    ranges: [{ introduced: '1.31.0', fixed, last_affected: null }],
  })
  const facts = { ...lines, advisories: [range('CVE-1', 'high', '1.31.2'), range('CVE-2', 'low', '1.32.0')] }
  const stepFor = (question: ExposureQuestion) => found(':1.31.1', question, facts)?.step?.release.version.text
  const asked = (id: string, fix: string) =>
    stepFor({ kind: 'advisories', ids: new Set([id]), fixes: new Set([ids.get(fix)!]) })
  expect(stepFor({ kind: 'security' })).toBe('1.31.2')
  expect(asked('CVE-1', '1.31.2')).toBe('1.31.2')
  expect(asked('CVE-2', '1.32.0')).toBe('1.32.0')
  // Only release notes name this one.
  expect(asked('CVE-3', '1.32.0')).toBe('1.32.0')
  expect(asked('CVE-3', '1.31.2')).toBe('1.31.2')
})
