import type { VersionTag } from './tag-choice.ts'

/** Digest of a tag; undefined if the tag no longer exists. */
export type DigestOf = (tag: string) => Promise<string | undefined>

/** Tags whose digests are asked for, a few at once. */
const most = 24
const atOnce = 6

/**
 * Finds the version of a digest or of a tag like `latest`: the first of the tags, newest first, with the same image.
 * Undefined if it is none of the newest. Throws errors of `toDigest`.
 */
export async function resolveTag(
  digest: string,
  candidates: readonly VersionTag[],
  toDigest: DigestOf,
): Promise<VersionTag | undefined> {
  for (let from = 0; from < Math.min(candidates.length, most); from += atOnce) {
    const some = candidates.slice(from, from + atOnce)
    const digests = await Promise.all(some.map(({ tag }) => toDigest(tag)))
    const found = some.find((_, index) => digests[index] === digest)
    if (found) return found
  }
  return undefined
}
