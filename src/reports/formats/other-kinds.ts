import { isObject, type JsonReader } from '../../util/json.ts'
import { string } from '../text.ts'
import type { ScanCollector } from './collector.ts'
import { eachObject, object, type Values } from './values.ts'

const maxKinds = 10

interface ItemReader {
  isReport: (item: Values) => unknown
  read: (item: Values, collector: ScanCollector) => void
}

/**
 * Reads the reports in the items of a list, and warns of other objects in them. Returns false if they contain no report.
 */
export function readItems(
  items: JsonReader | undefined,
  list: Values,
  collector: ScanCollector,
  { isReport, read }: ItemReader,
) {
  if (!items) return false
  let found = false
  const others = new OtherKinds()
  for (const each of eachObject(items, 'items')) {
    const item = toItem(each, list)
    if (isReport(item)) {
      read(item, collector)
      found = true
    } else others.add(item)
  }
  others.warn(collector)
  return found
}

/** An object of a typed list, such as a `ConfigAuditReportList`, may leave out what the list says of all: its kind. */
export function toItem(item: Values, { apiVersion, kind }: Values) {
  const [, own] = /^(.+)List$/.exec(string(kind) ?? '') ?? []
  return own === undefined || string(item.kind)
    ? item
    : { ...item, apiVersion: item.apiVersion ?? apiVersion, kind: own }
}

/** Counts objects in a list that its reader ignores. */
class OtherKinds {
  readonly #counts = new Map<string, number>()
  readonly #unread = new Set<string>()

  add(item: Values) {
    const kind = string(item.kind)?.slice(0, 60)
    if (kind === undefined) this.#unread.add('an object without a kind')
    else if (kind === 'Status') this.#unread.add(`the answer ${string(item.message) ?? string(item.reason) ?? kind}`)
    else if (hasContent(item) && !withoutFindings.test(kind)) this.#unread.add(`an object of the kind ${kind}`)
    const count = this.#counts.get(kind ?? 'object') ?? 0
    if (this.#counts.size < maxKinds || count > 0) this.#counts.set(kind ?? 'object', count + 1)
  }

  warn(collector: ScanCollector) {
    if (this.#counts.size === 0) return
    const kinds = [...this.#counts].map(([kind, count]) => `${count} ${kind}`)
    collector.warn(`Left out of the list: ${kinds.sort().join(', ')}. relt reads reports of findings only.`)
    for (const what of [...this.#unread].slice(0, maxKinds)) collector.gap('Objects of the list', what)
  }
}

/** Kinds of operator reports that contain no findings of their own. */
const withoutFindings = /^(?:Cluster)?SbomReport$|^(?:ApplicationProfile|SBOMSyft\w*)$/

/** Whether an object has the content of an operator's or policy engine's report. */
const hasContent = (item: Values) =>
  isObject(item.report) ||
  Array.isArray(item.results) ||
  Array.isArray(item.items) ||
  isObject(object(item.spec).controls) ||
  isObject(object(item.spec).severities) ||
  isObject(object(item.spec).payload) ||
  isObject(object(item.status).summaryReport) ||
  isObject(object(item.status).detailReport)
