import { bundledCatalog } from '../../../src/catalog/bundled.ts'
import { bundledExploited, bundledStateFacts } from '../../../src/catalog/state-facts.ts'
import { assess } from '../../../src/freshness/assess.ts'
import type { AssessedItem } from '../../../src/freshness/assessed.ts'
import type { KnownProject } from '../../../src/freshness/catalog-view.ts'
import { prepareCatalog } from '../../../src/freshness/index.ts'
import type { FoundStep } from '../../../src/freshness/steps/find-steps.ts'
import { parseVersion } from '../../../src/freshness/versions.ts'
import { today } from '../ask.ts'
import { bundledView } from '../bundled-view.ts'
import { isAffected, type OracleRange } from '../range-oracle.ts'

interface Judged {
  /** `redis 7.4.2` */
  what: string
  steps: NamedStep[]
}

interface NamedStep {
  version: string
  via: string[]
  /** Ids that the step says it gains. */
  said: string[]
  /** Ids that it gains by another evaluator of ranges. */
  gains: Gain[]
  /** The worst severity that it fixes, as a number, by that evaluator. */
  worstFix: number
}

interface Gain {
  id: string
  /** 0 is none or unrated, 4 critical. */
  severity: number
  isExploited: boolean
}

interface OracleAdvisory extends Gain {
  ranges: OracleRange[]
}

const severities = [null, 'low', 'medium', 'high', 'critical']

/** Every stable release of the bundled catalog as what runs: of each project, every `stride`th. */
function* judgeCatalog(stride: number): Generator<Judged> {
  const { advisories } = bundledCatalog()
  const { exploited } = bundledExploited()
  const view = bundledView(new Map(), { advisories: true })
  const known = prepareCatalog(view, today)
  let index = 0
  for (const project of view.projects) {
    const facts = advisories[project.slug]?.advisories ?? []
    const oracle = facts.map(([id, aliases, severity, , , , affected]): OracleAdvisory => {
      const ranges = affected.map(([introduced, fixed, last]) => ({
        introduced,
        fixed: fixed ?? null,
        last_affected: last ?? null,
      }))
      const isExploited = [id, ...aliases].some((one) => exploited.has(one))
      return { id, severity: Math.max(0, severities.indexOf(severity)), isExploited, ranges }
    })
    const affecting = remembered((text: string) => oracle.filter(({ ranges }) => isAffected(text, ranges)))
    const list = known.book.app(project)
    // The other evaluator reads `v0.2.1-esoctl` as a pre-release.
    const stable = list.all.filter(({ isStable, version }) => isStable && !version.text.endsWith('-esoctl'))
    for (const { version } of stable) {
      if (index++ % stride !== 0) continue
      const current = parseVersion(version.text, known.book.tagPattern(project))!
      const assessed = assess(toSubject(project, current.text, list, current), known)
      yield {
        what: `${project.slug} ${current.text}`,
        steps: stepsFor(assessed).map((step) => check(step, version, { affecting, project })),
      }
    }
  }

  function check(
    { release, via, gains }: FoundStep,
    running: FoundStep['release']['version'],
    { affecting, project }: { affecting: (text: string) => OracleAdvisory[]; project: KnownProject },
  ): NamedStep {
    const own = (text: string) => plainVersion(text, project)
    const [before, after] = [affecting(own(running.text)), affecting(own(release.version.text))]
    const fixed = before.filter(({ id }) => !after.some((one) => one.id === id))
    return {
      version: release.version.text,
      via: via.map(({ version }) => version.text),
      said: gains.map(({ id }) => id),
      gains: after.filter(({ id }) => !before.some((one) => one.id === id)),
      worstFix: Math.max(-1, ...fixed.map(({ severity }) => severity)),
    }
  }
}

/** In the project's own line: `controller-v1.9.4` is 1.9.4. */
function plainVersion(text: string, { tagPattern }: KnownProject): string {
  const inner = tagPattern === null ? null : new RegExp(`^(?:${tagPattern})$`).exec(text)?.[1]
  return (inner ?? text).replace(/^[a-z-]*v?(?=\d)/i, '')
}

function toSubject(
  project: KnownProject,
  text: string,
  list: NonNullable<AssessedItem['releases']>['list'],
  current: AssessedItem['current'],
) {
  return {
    type: 'app' as const,
    key: `${project.slug}@${text}`,
    name: text,
    shortName: text,
    source: 'artifacts' as const,
    places: [],
    match: { project, confidence: 1, reason: '', candidates: [] },
    releases: { of: project.name, list },
    currentVersion: text,
    current,
    unreadable: '',
  }
}

/** Each once. */
function stepsFor({ steps: { urgent, clean, line, next, newest } }: AssessedItem): FoundStep[] {
  const all = [urgent, clean, line, next, newest].filter((step) => step !== undefined)
  return [...new Map(all.map((step) => [step.release, step])).values()]
}

function remembered<Value>(find: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>()
  return (text) => {
    if (!known.has(text)) known.set(text, find(text))
    return known.get(text)!
  }
}

/** `trivy 0.69.4`, without prefixes. */
const badReleases: ReadonlySet<string> = new Set(
  bundledStateFacts().faults.flatMap(({ slug, image_repository, versions }) =>
    slug && !image_repository && typeof versions !== 'string' ? versions.map((version) => `${slug} ${version}`) : [],
  ),
)

export interface Findings {
  releases: number
  steps: number
  /** Steps, or stops on the way, to a release that nobody should take. */
  bad: string[]
  /** Steps that gain an advisory which is exploited, or as severe as the worst that they fix. */
  harmful: string[]
  /** Steps that gain an advisory without saying so. */
  unsaid: string[]
  /** How many gain any, and those that gain most. */
  gaining: number
  worst: string[]
}

export function survey(stride: number): Findings {
  const found: Findings = { releases: 0, steps: 0, bad: [], harmful: [], unsaid: [], gaining: 0, worst: [] }
  const gaining: [count: number, text: string][] = []
  for (const { what, steps } of judgeCatalog(stride)) {
    found.releases++
    const [slug] = what.split(' ')
    for (const { version, via, said, gains, worstFix } of steps) {
      found.steps++
      const text = `${what} → ${version}`
      const named = [version, ...via].map((one) => `${slug} ${one.replace(/^[a-z-]*v?(?=\d)/i, '')}`)
      if (named.some((one) => badReleases.has(one))) found.bad.push(text)
      const harm = gains.filter(({ severity, isExploited }) => isExploited || severity === 0 || severity >= worstFix)
      if (harm.length > 0) found.harmful.push(`${text} gains ${harm.map(({ id }) => id).join()}`)
      if (gains.some(({ id }) => !said.includes(id))) found.unsaid.push(text)
      if (gains.length > 0) gaining.push([gains.length, `${text} gains ${gains.length}`])
    }
  }
  const worst = gaining.sort(([a], [b]) => b - a).slice(0, 10)
  return { ...found, gaining: gaining.length, worst: worst.map(([, text]) => text) }
}
