import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import { isObject, JsonReader } from '../util/json.ts'

export interface WrittenReport {
  /** Absolute path of the report. */
  file: string
  /** JSON text. */
  report: Uint8Array
  /** Namespaces that the scan excluded. */
  excludedNamespaces: string[]
  hasImages: boolean
}

const pattern = /^kubebuddy-report-\d{8}-\d{6}\.json$/
/** The service's limit of a report, in bytes. */
const maxBytes = 100 * 1024 * 1024

/** The newest report in a folder; undefined without one. Throws `invalid_json`, `too_large` or `invalid_param`. */
export function findReport(folder: string): WrittenReport | undefined {
  const names = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => entry.name)
  const newest = names.sort().at(-1)
  return newest === undefined ? undefined : readReport(join(folder, newest))
}

/** Only checks that the report is complete; it is read when uploaded. */
function readReport(file: string): WrittenReport {
  if (statSync(file).size > maxBytes) {
    throw new ReltError('too_large', `The scanner's report is larger than ${maxBytes / 1024 / 1024} MB.`)
  }
  const report = readFileSync(file)
  const reader = new JsonReader(report, "The scanner's report")
  let metadata: unknown
  let artifacts: unknown
  let hasChecks = false
  if (reader.isObject()) {
    for (const key of reader.members()) {
      if (key === 'metadata') metadata = reader.value()
      else if (key === 'artifacts') artifacts = reader.value()
      else if (key === 'checks') hasChecks = reader.skip().length > 0
      else reader.skip()
    }
  } else reader.skip()
  reader.end()
  if (!hasChecks) throw new ReltError('invalid_param', 'The scanner wrote a report without checks.')
  const images = isObject(artifacts) ? artifacts.images : undefined
  return {
    file,
    report,
    excludedNamespaces: excludedOf(metadata),
    hasImages: Array.isArray(images) && images.length > 0,
  }
}

function excludedOf(metadata: unknown) {
  if (!isObject(metadata) || metadata.excludeNamespacesEnabled === false) return []
  const { excludedNamespaces: names } = metadata
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : []
}
