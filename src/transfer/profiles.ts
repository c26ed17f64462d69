import { isDeepStrictEqual } from 'node:util'
import type { StoredProfile } from '../declarative/current.ts'
import { flatSettings } from '../declarative/scan-settings.ts'
import type { Profile } from '../profiles/profile.ts'
import { type Direction, type Ends, type Side, sourceFor, toTarget } from './end.ts'
import { emptyDifference, type TransferDifference, toItem } from './planned.ts'

/** Why a profile of the server at `url` must not be stored on this machine; undefined if it may. */
export type RefuseProfile = (profile: Profile, url: string) => string | undefined

interface ProfileOptions {
  directions: Direction[]
  ends: Ends
  /** Applied to profiles from a server for the local store, whose own profiles need no permission. */
  refuse: RefuseProfile
}

/** Profiles with equal name and content are the same. Equal names with different content are a conflict. */
export function profileDifference(
  profiles: Record<Side, StoredProfile[]>,
  { directions, ends, refuse }: ProfileOptions,
): TransferDifference {
  const found = emptyDifference()
  const left = { here: [...profiles.here], there: [...profiles.there] }
  const isEqual = (one: StoredProfile, other: StoredProfile) =>
    one.name === other.name && isDeepStrictEqual(flat(one), flat(other))
  found.matched.profile = takePairs(left, isEqual).length
  for (const [here, there] of takePairs(left, (one, other) => one.name === other.name)) {
    const ids = { here_id: here.config_id, there_id: there.config_id }
    found.conflicts.push({ kind: 'profile', name: here.name, ...ids, fields: fieldsThatDiffer(here, there) })
  }
  for (const direction of directions) {
    for (const profile of left[sourceFor(direction)]) {
      const { name, config_id: id, provider, cluster_name, notes, settings } = profile
      const reason = whyNotCopied(profile, direction, { ends, refuse })
      if (provider === null || reason !== undefined) {
        found.left_out.push({ direction, kind: 'profile', name, id, reason: reason! })
        continue
      }
      const copy = { name, provider, settings, ...(cluster_name && { cluster_name }), ...(notes && { notes }) }
      found.copies.push({
        item: toItem(direction, 'profile', name, { id }),
        step: { do: 'createProfile', profile: copy },
      })
    }
  }
  return found
}

/** Removes matching pairs from both sides. */
function takePairs(
  left: Record<Side, StoredProfile[]>,
  isPair: (here: StoredProfile, there: StoredProfile) => boolean,
): [here: StoredProfile, there: StoredProfile][] {
  return [...left.here].flatMap((here) => {
    const at = left.there.findIndex((there) => isPair(here, there))
    if (at < 0) return []
    left.here.splice(left.here.indexOf(here), 1)
    return [[here, left.there.splice(at, 1)[0]!] as [StoredProfile, StoredProfile]]
  })
}

/** Undefined for a profile that can be copied, which requires a provider. */
function whyNotCopied(
  { name, provider, cluster_name, settings }: StoredProfile,
  direction: Direction,
  { ends, refuse }: Pick<ProfileOptions, 'ends' | 'refuse'>,
): string | undefined {
  const [source, target] = [ends[sourceFor(direction)], ends[toTarget(direction)]]
  if (provider === null) return `${source.name} names no provider that relt knows`
  const isForeign = source.address !== 'local' && target.address === 'local'
  return isForeign ? refuse({ name, provider, cluster_name: cluster_name ?? '', settings }, source.address) : undefined
}

/** An absent text equals an empty one, as does an absent block of settings. */
function flat({ cluster_name, provider, notes, settings }: StoredProfile): Map<string, string> {
  const own = { cluster_name: cluster_name ?? '', provider: provider ?? '', notes: notes ?? '' }
  const all = [...flatSettings(settings)].map(([name, value]): [string, string] => [`settings.${name}`, value])
  return new Map([...Object.entries(own), ...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function fieldsThatDiffer(here: StoredProfile, there: StoredProfile) {
  const [one, other] = [flat(here), flat(there)]
  return [...new Set([...one.keys(), ...other.keys()])]
    .filter((name) => one.get(name) !== other.get(name))
    .map((name) => ({ name, here: one.get(name) ?? 'none', there: other.get(name) ?? 'none' }))
}
