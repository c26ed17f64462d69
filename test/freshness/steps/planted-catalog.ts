import fc from 'fast-check'
import type { ReleaseFault, StateFactsFile, UpgradeRule } from '../../../src/contract/state-facts.ts'
import type { KnownAdvisory } from '../../../src/freshness/affected.ts'
import type { Cycle } from '../../../src/lifecycle/cycle.ts'

/** The number of every planted release: no other text has it. */
export const planted = '987123'

export interface PlantedProject {
  slug: string
  repository: string
  /** Where the repository has moved. */
  place: 'here' | 'moved' | 'frozen' | 'closed'
  /** `1.2.3`, all that the list has; planted ones among them. */
  releases: string[]
  running: string
  rule: 'minor-by-minor' | 'max-minor-skip' | 'required-stop' | 'major-by-major' | undefined
  advisories: KnownAdvisory[]
  cycles: Cycle[]
}

export interface PlantedCatalog {
  projects: PlantedProject[]
  facts: Pick<StateFactsFile, 'releases' | 'repositories' | 'rules'>
}

const severities = ['critical', 'high', 'medium', 'low', null] as const
const kinds = ['malicious', 'withdrawn', 'broken', 'retracted'] as const
const source = 'https://example.com/notice'

const anyMinor = fc.record({
  patches: fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 4 }),
  /** A release that nobody should take is the newest of the line. */
  isPlanted: fc.boolean(),
  isMissing: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
})

const anyProject = fc.record({
  majors: fc.array(fc.array(anyMinor, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 3 }),
  at: fc.nat(),
  place: fc.constantFrom('here', 'here', 'here', 'moved', 'frozen', 'closed'),
  rule: fc.constantFrom(undefined, 'minor-by-minor', 'max-minor-skip', 'required-stop', 'major-by-major'),
  kind: fc.constantFrom(...kinds),
  isRange: fc.boolean(),
  hasCycles: fc.boolean(),
  advisories: fc.array(
    fc.record({
      from: fc.nat(),
      to: fc.nat(),
      /** The advisory names a planted release as its fix. */
      isFixPlanted: fc.boolean(),
      isOpen: fc.boolean(),
      severity: fc.constantFrom(...severities),
      isExploited: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
})

/** A catalog in which each project has releases that nobody should take, often as the newest. */
export const anyPlantedCatalog: fc.Arbitrary<PlantedCatalog> = fc
  .array(anyProject, { minLength: 1, maxLength: 4 })
  .map((projects) => {
    const made = projects.map(makeProject)
    return {
      projects: made.map(({ project }) => project),
      facts: {
        releases: made.flatMap(({ fault }) => fault ?? []),
        repositories: made.flatMap(({ moved }) => moved ?? []),
        rules: made.flatMap(({ rules }) => rules),
      },
    }
  })

type Drawn = typeof anyProject extends fc.Arbitrary<infer One> ? One : never

function makeProject({ majors, at, place, rule, kind, isRange, hasCycles, advisories }: Drawn, index: number) {
  const slug = `plant-${index}`
  const repository = `docker.io/${slug}/app`
  const lines = majors.flatMap((minors, major) =>
    minors.flatMap((line, minor) => (line.isMissing ? [] : [{ ...line, name: `${major + 1}.${minor}` }])),
  )
  const good = lines.flatMap(({ name, patches }) =>
    patches.toSorted((a, b) => a - b).map((patch) => `${name}.${patch}`),
  )
  const bad = lines.filter(({ isPlanted }) => isPlanted).map(({ name }) => `${name}.${planted}`)
  const all = good.length > 0 ? good : ['1.0.0']
  const pick = (number: number) => all[number % all.length]!
  const project: PlantedProject = {
    slug,
    repository,
    place: place as PlantedProject['place'],
    rule,
    releases: [...all, ...bad],
    running: pick(at),
    advisories: advisories.map(({ from, to, isFixPlanted, isOpen, severity, isExploited }, number) => {
      const [introduced, fixed] = [pick(from), isFixPlanted && bad.length > 0 ? bad[to % bad.length]! : pick(to)]
      const exploited = { since: '2026-01-01', due: null, ransomware: false }
      return {
        id: `CVE-2026-${index}${number}00`,
        aliases: [],
        severity,
        score: null,
        publishedAt: 1_780_000_000,
        ranges: [{ introduced, fixed: isOpen ? null : fixed, last_affected: null }],
        ...(isExploited && { exploited }),
      }
    }),
    cycles: hasCycles
      ? lines.map(({ name, isPlanted, patches }) => ({
          cycle: name,
          eol: false,
          lts: false,
          latest: `${name}.${isPlanted ? planted : Math.max(...patches)}`,
        }))
      : [],
  }
  const fault = { kind, reason: 'Nobody should take it.', source }
  const moved = { repository, since: '2025-01-01', what: 'It ended here.', source }
  return {
    project,
    rules: toRules(slug, rule, majors.length),
    fault:
      bad.length === 0
        ? undefined
        : isRange
          ? bad.map((version): ReleaseFault => ({ slug, versions: `>=${version} <=${version}`, ...fault }))
          : [{ slug, versions: bad, ...fault }],
    moved:
      place === 'here'
        ? undefined
        : place === 'moved'
          ? { state: 'moved' as const, moved_to: `docker.io/new/${slug}`, ...moved }
          : { state: place as 'frozen' | 'closed', ...moved },
  }
}

function toRules(slug: string, rule: PlantedProject['rule'], majors: number): UpgradeRule[] {
  const told = { slug, note: 'By the project.', source }
  if (rule === undefined) return []
  if (rule === 'max-minor-skip') return [{ ...told, rule, value: 2 }]
  if (rule === 'required-stop') return majors > 1 ? [{ ...told, rule, value: '1.1', to: '2.0' }] : []
  return [{ ...told, rule }]
}
