import fc from 'fast-check'
import type { ProjectFact, ReleaseFault, RepositoryFact, UpgradeRule } from '../../src/contract/state-facts.ts'
import type { BundledRelease } from '../helpers/bundled-catalog.ts'
import { project, release } from '../store/bundled.ts'

/** A project with releases that nobody should take, moves and rules. */
export interface Planted {
  project: ReturnType<typeof project>
  projects: ProjectFact[]
  faults: ReleaseFault[]
  repositories: RepositoryFact[]
  rules: UpgradeRule[]
  exploited: { id: string; since: string; due: null; ransomware: boolean }[]
  /** References of images, and versions of its chart. */
  images: string[]
  charts: string[]
  advisoryIds: string[]
  /** Versions that no medium may name, but as what runs. */
  bad: Set<string>
  /** No new image comes to any place. */
  isClosed: boolean
}

const source = 'https://facts.example'
const kinds = ['malicious', 'withdrawn', 'broken', 'retracted'] as const
const severities = ['critical', 'high', 'medium', 'low', null] as const
/** Unlike all other numbers of a page. Those of the chart begin with 7. */
const numbers = [41, 42].flatMap((major) =>
  [0, 1, 2, 3].flatMap((minor) => [0, 1, 2, 3].map((patch) => `${major}.${minor}.${patch}`)),
)
const toChart = (version: string) => `7${version}`

const range = fc
  .tuple(fc.nat(numbers.length - 2), fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }))
  .map(([from, length]): [string, string?] => {
    const to = length === undefined ? undefined : numbers[from + length]
    return to === undefined ? [numbers[from]!] : [numbers[from]!, to]
  })

export const someFacts = fc.record({
  versions: fc.subarray(numbers, { minLength: 6 }),
  faulty: fc.subarray(numbers, { maxLength: 10 }),
  kind: fc.constantFrom(...kinds),
  isRange: fc.boolean(),
  isOfImage: fc.boolean(),
  advisories: fc.array(
    fc.record({
      ranges: fc.array(range, { minLength: 1, maxLength: 2 }),
      severity: fc.constantFrom(...severities),
      isExploited: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
  place: fc.constantFrom('open', 'open', 'frozen', 'moved', 'moved and frozen', 'closed', 'paid'),
  rule: fc.constantFrom('none', 'minor-by-minor', 'major-by-major', 'max-minor-skip', 'required-stop'),
  isRetired: fc.boolean(),
  tags: fc.array(fc.tuple(fc.constantFrom(...numbers), fc.constantFrom('', '', '-alpine', ' line')), {
    minLength: 1,
    maxLength: 4,
  }),
  charts: fc.subarray(numbers, { maxLength: 2 }),
})

type SomeFacts = typeof someFacts extends fc.Arbitrary<infer T> ? T : never

/** Each `number` makes another project. */
export function plant(facts: SomeFacts, number: number): Planted {
  const [slug, chart, repository] = [`web-${number}`, `web-chart-${number}`, `docker.io/acme${number}/web`]
  const at = (version: string) => `2026-0${Number(version[1]) + 1}-${10 + Number(version[3]) * 4 + Number(version[5])}`
  const day = (version: string) => `${at(version)} 00:00:00`
  const chartRelease = (version: string): BundledRelease =>
    release(toChart(version), day(version), { type: 'helm', chartName: chart })
  const advisories = facts.advisories.map(({ ranges, severity }, index) => {
    return [`CVE-2026-${number}000${index}`, [], severity, null, '2026-08-20', 0, ranges, ['OSV']] as never
  })
  // A range may hold more versions than the list.
  const isInRange = (version: string) =>
    facts.faulty.length > 0 && version >= facts.faulty[0]! && version <= facts.faulty.at(-1)!
  const faulty = facts.isRange ? numbers.filter(isInRange) : facts.faulty
  const listed = (texts: string[]) => (facts.isRange ? `>=${texts[0]} <=${texts.at(-1)}` : texts)
  const about = { kind: facts.kind, reason: 'Nobody should take it.', source }
  const place = (state: RepositoryFact['state'], more: object = {}): RepositoryFact => ({
    repository,
    state,
    what: 'It is so.',
    source,
    ...more,
  })
  const moved = `quay.io/acme${number}/web`
  const places: Record<SomeFacts['place'], RepositoryFact[]> = {
    open: [],
    frozen: [place('frozen')],
    moved: [place('moved', { moved_to: moved })],
    'moved and frozen': [place('moved', { moved_to: moved }), place('frozen', { repository: moved })],
    closed: [place('closed')],
    paid: [place('paid')],
  }
  const rules: Record<SomeFacts['rule'], Partial<UpgradeRule> | undefined> = {
    none: undefined,
    'minor-by-minor': { rule: 'minor-by-minor' },
    'major-by-major': { rule: 'major-by-major' },
    'max-minor-skip': { rule: 'max-minor-skip', value: 2 },
    'required-stop': { rule: 'required-stop', value: '41.3', to: '42.0' },
  }
  const rule = rules[facts.rule]
  return {
    project: project(slug, {
      name: slug,
      image_repositories: [repository],
      helm_chart_names: [chart],
      helm_chart_repo: `https://charts${number}.example`,
      releases: [
        ...facts.versions.map((version) => release(version, day(version))),
        ...facts.versions.map(chartRelease),
      ],
      advisories: { as_of: '2026-08-22', advisories },
    }),
    projects: facts.isRetired
      ? [{ slug, name: slug, state: 'retired', since: '2026-01-01', what: 'It is over.', source }]
      : [],
    faults:
      faulty.length === 0
        ? []
        : [
            { slug, ...(facts.isOfImage && { image_repository: repository }), versions: listed(faulty), ...about },
            { chart_name: chart, versions: listed(faulty.map(toChart)), ...about },
          ],
    repositories: places[facts.place],
    rules: rule ? [{ slug, note: 'So they say.', source, rule: 'free', ...rule }] : [],
    exploited: facts.advisories.flatMap(({ isExploited }, index) =>
      isExploited ? [{ id: `CVE-2026-${number}000${index}`, since: '2026-08-21', due: null, ransomware: false }] : [],
    ),
    images: facts.tags.map(
      ([version, kind]) => `${repository}:${kind === ' line' ? version.slice(0, 4) : `${version}${kind}`}`,
    ),
    charts: facts.charts.map(toChart),
    advisoryIds: facts.advisories.map((_, index) => `CVE-2026-${number}000${index}`),
    bad: new Set(faulty.flatMap((version) => [version, toChart(version)])),
    isClosed: ['frozen', 'closed', 'moved and frozen'].includes(facts.place),
  }
}
