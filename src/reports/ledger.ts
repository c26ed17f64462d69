import type { lookedAtParts } from '../contract/choices.ts'
import type { ReportFormat } from '../contract/scan-finding.ts'
import { listed } from '../util/words.ts'

/** What a run is about. Only runs of the same scanner about the same subject are compared. */
export interface Subject {
  kind: 'cluster' | 'image' | 'folder' | 'tool' | 'benchmark'
  /** Repository of an image, path of a folder, name of a tool or benchmark; '' for the cluster itself. */
  name: string
  /** System and architecture of an image, such as `linux/amd64`; node type of a benchmark. */
  platform?: string | undefined
  /** What a tool looked for, as `automationDetails` of SARIF names it. */
  category?: string | undefined
  /** The tool, if reports of several tools have the same format. */
  tool?: string | undefined
  /** Tags and digests of the image that was scanned; not part of its key. */
  versions?: string[] | undefined
}

/** What somebody says about a scan, because its report does not. */
export interface StatedLook {
  /** What it is about. */
  subject?: string | undefined
  /** Parts that it looked at, also without a finding in them. */
  lookedAt?: (typeof lookedAtParts)[number][] | undefined
}

export const wholeCluster: Subject = { kind: 'cluster', name: '' }

/** Key of a subject among those of a cluster. */
export const keyOfSubject = (format: ReportFormat, { kind, name, platform, category, tool }: Subject): string =>
  JSON.stringify([format, tool ?? '', kind, name, platform ?? '', category ?? ''])

/**
 * The image with this reference, of any tag and digest: a new tag is the next state of the same image. `others` are further
 * references of what was scanned.
 */
export const imageSubject = (
  reference: string,
  { others = [], ...about }: Pick<Subject, 'platform' | 'tool'> & { others?: string[] },
): Subject => ({
  kind: 'image',
  name: nameOfImage(reference),
  ...about,
  versions: [...new Set([reference, ...others].slice(0, 20).flatMap(versionsOf))],
})

/** Its repository, as Docker shortens it. */
export const nameOfImage = (reference: string): string =>
  short(reference).replace(tagAndDigest, '').replace(dockerHub, '')

/** Tag and digest of a reference: `2.1` and `sha256:…`; `latest` if it has neither. */
export function versionsOf(reference: string): string[] {
  const [, tag, digest] = /(?::([^/:@]+))?(?:@([^/@]+))?$/.exec(short(reference)) ?? []
  return tag === undefined && digest === undefined ? ['latest'] : [tag, digest].flatMap((part) => part ?? [])
}

/** Names are compared and stored as a whole, and the expressions below take time by the square of their length. */
const short = (name: string): string => name.slice(0, 500)

const tagAndDigest = /(?::[^/:@]*)?(?:@[^/]*)?$/
const dockerHub = /^(?:(?:index\.)?docker\.io\/)?(?:library\/(?=[^/]+$))?/

/** A benchmark of a kind of node: `cis-1.9` is the next version of `cis-1.8`. */
export const benchmarkSubject = (version: string, nodeType: string): Subject => ({
  kind: 'benchmark',
  name: short(version).replace(/-\d[\d.]*$/, '') || 'benchmark',
  platform: short(nodeType),
})

export const toolSubject = (tool: string, category: string): Subject => ({
  kind: 'tool',
  name: short(tool),
  tool: short(tool),
  category: short(category),
})

/** A folder by its path as the scanner was given it: `./app/` is `app`. */
export const folderSubject = (path: string): Subject => ({
  kind: 'folder',
  name: short(path)
    .replace(/^(?:\.\/)+(?=.)/, '')
    .replace(/(?<=.)\/+$/, ''),
})

/** Names of a run's subjects for people; undefined for a run about the cluster itself. */
export function nameOfSubjects(subjects: Subject[]): string | undefined {
  const names = subjects.flatMap((subject) => nameOfSubject(subject) ?? [])
  return names.length > 0 ? listed(names.sort()) : undefined
}

/** Name of a subject for people; undefined for the cluster itself. */
function nameOfSubject({ kind, name, platform, category, tool }: Subject): string | undefined {
  if (kind === 'cluster') return undefined
  return [tool === name ? undefined : tool, name, platform, category].filter(Boolean).join(' ')
}
