import type { Artifacts } from './artifact.ts'
import { nameOfImage, type Subject, versionsOf } from './ledger.ts'

/** Repository of an image → tags and digests that run. */
export type RunningImages = Map<string, Set<string>>

export function findRunningImages(images: Artifacts['images']): RunningImages {
  const running: RunningImages = new Map()
  for (const { reference } of images) {
    const name = nameOfImage(reference)
    running.set(name, new Set([...(running.get(name) ?? []), ...versionsOf(reference)]))
  }
  return running
}

/**
 * Whether the scanned version of an image runs. Undefined if that is not known: the image is not listed, or one is known by its
 * tag and the other by its digest.
 */
export function isRunning(running: RunningImages, { kind, name, versions = [] }: Subject): boolean | undefined {
  const listed = kind === 'image' ? [...(running.get(name) ?? [])] : []
  if (versions.some((version) => listed.includes(version))) return true
  const isComparable = versions.some((own) => listed.some((there) => isDigest(own) === isDigest(there)))
  return isComparable ? false : undefined
}

const isDigest = (version: string): boolean => version.includes(':')
