import type { VersionTag } from './tag-choice.ts'

/** What is behind a tag; undefined when the registry has no such tag any more. */
export type DigestOf = (tag: string) => Promise<string | undefined>

/** Tags whose digests are asked for, a few at once. */
const most = 24
const atOnce = 6

/**
 * The version that a digest or a tag like `latest` is: the first of the tags, newest first, that is the same image.
 * Undefined when it is none of the newest. Throws what `digestOf` throws.
 */
export async function resolveTag(
  digest: string,
  candidates: readonly VersionTag[],
  digestOf: DigestOf,
): Promise<VersionTag | undefined> {
  for (let from = 0; from < Math.min(candidates.length, most); from += atOnce) {
    const some = candidates.slice(from, from + atOnce)
    const digests = await Promise.all(some.map(({ tag }) => digestOf(tag)))
    const found = some.find((_, index) => digests[index] === digest)
    if (found) return found
  }
  return undefined
}
