import { compareVersions, parseVersion, type Version } from '../../freshness/versions.ts'
import type { Source } from '../collector.ts'
import { createTagReader } from '../tag-reader.ts'

export interface VersionTag {
  tag: string
  version: Version
}

const chartTag = /^v?\d+\.\d+\.\d+(?:[-_][\w.-]+)?$/
const signature = /^sha\d{3}-[0-9a-f]{32,}/

/** Versions of a chart, newest first: OCI tags have `_` instead of `+`. */
export function chartVersions(tags: readonly string[]): VersionTag[] {
  return newestFirst(tags.filter((tag) => chartTag.test(tag)))
}

/**
 * Versions of the application, newest first. Without a pattern, excludes image variants (`1.27.3-alpine`) and floating tags
 * (`1.27` beside `1.27.3`).
 */
export function appVersions(tags: readonly string[], source: Source): VersionTag[] {
  const read = createTagReader(source)
  const all = newestFirst(tags.filter((tag) => !signature.test(tag) && read(tag)))
  if (source.tagPattern !== null) return all
  const lines = new Set(
    all.flatMap(({ version }) => version.segments.map((_, i) => version.segments.slice(0, i).join('.'))),
  )
  return all.filter(({ version }) => version.variant === '' && !lines.has(version.segments.join('.')))
}

function newestFirst(tags: string[]) {
  const read = tags.flatMap((tag) => {
    const version = parseVersion(tag)
    return version ? [{ tag, version }] : []
  })
  return read.toSorted((a, b) => compareVersions(b.version, a.version))
}
