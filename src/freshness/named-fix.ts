import { remember } from '../util/remember.ts'
import type { LineAdvisory } from './affecting.ts'
import type { AssessedItem } from './assessed.ts'
import { newerReleases } from './newer-releases.ts'
import type { ReleaseList } from './releases.ts'
import { isFreeOf } from './running-security.ts'
import { written } from './verdict.ts'
import { compareStages, isCalendar, parseVersion } from './versions.ts'

const known = new WeakMap<ReleaseList, Map<string, boolean>>()

/**
 * The fixed version according to an advisory, if it may exist: the catalog has it, or lacks releases there. Null for a
 * faulty version, one that the project never published, or one after its last release. If another project publishes the
 * releases, its first release that is not affected.
 */
export function namedFix({ id, fixedIn: text }: LineAdvisory, one: AssessedItem) {
  const { releases, states, findFault, verdict, current } = one
  if (text === null) return null
  if (releases?.by) {
    const own = verdict.newer.findLast((release) => isFreeOf(id, release, one))
    return own && current ? written(own.version, current) : null
  }
  if (findFault(text, parseVersion(text))) return null
  if (!releases) return text
  const isEnded = states.reasons.some(({ state }) => state === 'retired')
  const { list } = releases
  const cache = remember(known, list, () => new Map<string, boolean>())
  return remember(cache, `${isEnded} ${text}`, () => mayExist(text, list, isEnded)) ? text : null
}

function mayExist(text: string, list: ReleaseList, isEnded: boolean) {
  const version = parseVersion(text.replace(/\+.*$/, ''))
  if (!version || list.all.length === 0) return true
  const comparable = list.all.filter((release) => isCalendar(release.version) === isCalendar(version))
  const newer = newerReleases(comparable, (release) => compareStages(release, version) > 0)
  // Equal versions are adjacent.
  const after = comparable.slice(newer.length, newer.length + 20)
  const same = after.filter((release) => compareStages(release.version, version) === 0)
  if (same.length > 0) return same.some(({ fault }) => !fault)
  const next = newer.at(-1)
  return next ? next.publishedAt < list.completeSince : !isEnded
}
