import type { FindingSeverity } from '../../../contract/cluster-report.ts'
import type { JsonReader } from '../../../util/json.ts'
import { string } from '../../read.ts'
import type { Scan } from '../../scan.ts'
import { ScanCollector } from '../collector.ts'
import { eachObject, entriesOfLists, notOf, number, openObject, time } from '../values.ts'

/** By level: 0 is fine, 1 an information, 2 a warning, 3 an error. */
const severities = new Map<unknown, FindingSeverity>([
  [1, 'info'],
  [2, 'medium'],
  [3, 'high'],
])

type Values = Record<string, unknown>

/**
 * `popeye -o json`. Sections are `sanitizers` with a `sanitizer` each, or, of newer versions, `sections` with a `linter`; they
 * have `issues` by resource (`namespace/name`, or the name alone).
 */
export function readPopeye(bytes: Uint8Array): Scan {
  const collector = new ScanCollector('popeye')
  const reader = openObject(bytes)
  const head: Values = {}
  let body: Values | undefined
  for (const key of reader.members()) {
    if (key === 'popeye' && reader.isObject()) body = readBody(reader, collector)
    else head[key] = reader.value()
  }
  reader.end()
  if (!body) throw notOf('popeye', 'popeye')
  return collector.finish({
    clusterName: string(head.ClusterName) ?? string(head.ContextName),
    generatedAt: time(body.report_time),
    score: number(body.score),
  })
}

function readBody(reader: JsonReader, collector: ScanCollector): Values {
  const body: Values = {}
  for (const key of reader.members()) {
    if (key === 'sanitizers' || key === 'sections') {
      for (const section of eachObject(reader, `popeye.${key}`)) readSection(section, collector)
    } else body[key] = reader.value()
  }
  return body
}

function readSection(section: Values, collector: ScanCollector): void {
  const title = string(section.linter) ?? string(section.sanitizer) ?? ''
  for (const [name, issues] of entriesOfLists(section.issues)) {
    const place = placeOf(title, name)
    for (const issue of issues) {
      const severity = severities.get(issue.level)
      const text = string(issue.message)
      if (!severity || !text) continue
      const { id, message } = splitCode(text, title)
      const group = string(issue.group)
      const value = group === undefined || group === '__root__' ? null : group
      collector.finding({ id, name: id, category: title }, severity, { ...place, message, value })
    }
  }
}

/** `[POP-106] No resources requests/limits defined`; sections without codes have their own name as check. */
function splitCode(text: string, title: string) {
  const match = /^\[(POP-\d+)\]\s*(.+)$/s.exec(text)
  return match ? { id: match[1]!, message: match[2]! } : { id: `POP-${title}`, message: text }
}

function placeOf(title: string, name: string) {
  const slash = name.indexOf('/')
  const kind = singular(title.toLowerCase())
  return {
    namespace: slash > 0 ? name.slice(0, slash) : kind === 'namespace' ? name : null,
    resource: `${kind}/${name.slice(slash + 1)}`,
  }
}

function singular(kind: string): string {
  if (kind.endsWith('ies')) return `${kind.slice(0, -3)}y`
  if (/(?:ss|x|ch)es$/.test(kind)) return kind.slice(0, -2)
  return kind.endsWith('s') && !kind.endsWith('ss') ? kind.slice(0, -1) : kind
}
