import { daySeconds } from '../util/time.ts'
import type { KnownProject } from './catalog-view.ts'
import { type Match, noMatch, taken } from './match.ts'
import { lastPublished } from './newest-release.ts'
import type { ReleaseBook, ReleaseList } from './releases.ts'
import { compareStages, type Version } from './versions.ts'

interface NameMatch {
  /** Projects with that name. */
  projects: KnownProject[]
  versionFor: (project: KnownProject) => Version | undefined
  /** Reason against a match by name, for any project. */
  refusal: string | undefined
  /** `The image` */
  subject: string
  /** The reason if no project has the name. */
  nobody: string
  book: ReleaseBook
}

const sureness = 0.5

/** A name alone is weak evidence: it counts only if the version fits exactly one project with that name. */
export function matchName({ projects, versionFor, refusal, subject, nobody, book }: NameMatch): Match {
  const judged = projects.map((project) => ({
    project,
    refusal: refusal ?? refusalFor(versionFor(project), book.app(project)),
  }))
  const fitting = judged.filter((each) => each.refusal === undefined)
  const claims = judged.map(({ project, refusal }) => {
    const rest = fitting.length > 1 ? ', but another project fits as well' : ' and a version that fits'
    const why = refusal === undefined ? rest : `, but ${refusal}`
    return {
      project,
      confidence: refusal === undefined ? sureness : 0,
      reason: `${subject} has the name of ${project.name}${why}`,
    }
  })
  const claim = fitting.length === 1 ? claims.find(({ confidence }) => confidence > 0) : undefined
  if (claim) return taken(claim, claims, 'name')
  return noMatch(claims.length === 1 ? (claims[0]?.reason ?? nobody) : nobody, claims)
}

function refusalFor(version: Version | undefined, list: ReleaseList) {
  if (!version || version.segments.length < 2) return 'there is no full version to match by'
  return fits(list, version) ? undefined : `${version.text} does not fit its versions`
}

/** Excludes release lines that a project left long ago, which any other program may be at. */
const recentYears = 4

/**
 * The version must fit a line of the project: its first number is one of recent years, or the one before them. First numbers
 * 0 and 1, which every program has, must not be far below.
 */
function fits(list: ReleaseList, version: Version) {
  const [first = '', second = '0'] = version.segments
  if (version.lead !== '') return false
  const since = lastPublished(list.all) - recentYears * 365 * daySeconds
  const recent = list.all.filter(({ publishedAt }) => publishedAt >= since)
  const line = recent.filter((release) => release.version.segments[0] === first)
  const [newest, oldest] = [line[0], line.at(-1)]
  if (!newest || !oldest) return Number(first) > 1 && Number(first) + 1 === Number(recent.at(-1)?.version.segments[0])
  if (compareStages(version, newest.version) > 0) return false
  return Number(first) > 1 || Number(second) * 2 >= Number(oldest.version.segments[1] ?? 0)
}
