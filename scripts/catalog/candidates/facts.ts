import { basename, dirname } from 'node:path/posix'
import { parseDocument } from 'yaml'
import type { Found, Repository } from './candidate.ts'
import { isForeign } from './disowned.ts'

/** Machines that read one member of a file, in which there is nothing to interpret. */

/** Versions that the module file of a Go project retracts. */
export function findRetracted({ files }: Pick<Repository, 'files'>): Found[] {
  let isOpen = false
  return (files.get('go.mod') ?? '').split('\n').flatMap((line, at) => {
    const [isRetract, isBlock] = /^\s*retract\b\s*(\()?/.exec(line) ?? []
    const isInside = isOpen || isRetract !== undefined
    isOpen = isBlock !== undefined || (isOpen && !/^\s*\)/.test(line))
    const [stated = '', comment = 'retract'] = line.split('//')
    const versions = stated.match(/(?<=\bv)\d+\.\d+\.\d+[\w.+-]*/g) ?? []
    if (!isInside || versions.length === 0) return []
    const version = stated.includes('[') ? `>=${versions[0]} <=${versions.at(-1)}` : versions[0]!
    return [{ state: 'retracted', version, evidence: comment.trim().slice(0, 60), at: `go.mod#L${at + 1}` }]
  })
}

/** Charts that say `deprecated: true`. */
export function findDeprecatedCharts({ files }: Pick<Repository, 'files'>): Found[] {
  return [...files].flatMap(([at, text]) => {
    // A copy in another chart is not the chart itself.
    const isCopy = files.has(`${dirname(dirname(dirname(at)))}/Chart.yaml`)
    const isChart = basename(at) === 'Chart.yaml' && !isCopy && !isForeign(at)
    if (!isChart || !/^deprecated:\s*["']?true\b/m.test(text)) return []
    return [{ chart: basename(dirname(at)), state: 'retired', evidence: 'deprecated: true', at }]
  })
}

/** Projects that the CNCF has archived: `landscape.yml` of cncf/landscape. */
export function findArchived({ files }: Pick<Repository, 'files'>): Found[] {
  const at = 'landscape.yml'
  return (files.get(at) ?? '').split(/^ *- item:/m).flatMap((item) => {
    const of = (member: string) => new RegExp(`^ +${member}: ["']?(.+?)["']?$`, 'm').exec(item)?.[1]
    const [name, since] = [of('name'), of('archived')]
    if (!name || of('project') !== 'archived') return []
    return [{ name, state: 'archived', ...(since && { since }), evidence: 'project: archived', at }]
  })
}

/** Products of endoflife.date that are tagged as discontinued, and each of whose cycles had ended by the day. */
export function findDiscontinued({ files, day }: Pick<Repository, 'files' | 'day'>): Found[] {
  return [...files].flatMap(([at, page]) => {
    const [, head = ''] = /^---\n([\s\S]*?)\n---/.exec(page) ?? []
    if (!at.startsWith('products/') || !/^tags:.*\bdiscontinued\b/m.test(head)) return []
    const { title, releases } = parseDocument(head, { schema: 'core', uniqueKeys: false }).toJS()
    const ends = [releases].flat().map((release) => release?.eol)
    if (!ends.every((end) => end === true || (typeof end === 'string' && end <= day))) return []
    const since = ends
      .filter((end) => typeof end === 'string')
      .sort()
      .at(-1)
    return [{ name: title, state: 'retired', ...(since && { since }), evidence: 'tags: discontinued', at }]
  })
}

interface Exploited {
  vulnerabilities: {
    cveID: string
    vendorProject: string
    product: string
    vulnerabilityName: string
    dateAdded: string
  }[]
}

/** Products that were published with malware inside: the list of exploited vulnerabilities of cisagov/kev-data. */
export function findMalicious({ files }: Pick<Repository, 'files'>): Found[] {
  const at = 'known_exploited_vulnerabilities.json'
  const { vulnerabilities }: Exploited = JSON.parse(files.get(at) ?? '{"vulnerabilities":[]}')
  return vulnerabilities
    .filter(({ vulnerabilityName }) => /\bmalicious code\b/i.test(vulnerabilityName))
    .map(({ cveID: evidence, vendorProject, product, dateAdded: since }) => ({
      ...{ name: `${vendorProject} ${product}`, state: 'malicious', since, evidence, at },
    }))
}
