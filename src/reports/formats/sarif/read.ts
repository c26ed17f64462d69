import type { JsonReader } from '../../../util/json.ts'
import { maxTextLength } from '../../item.ts'
import { string } from '../../read.ts'
import type { Scan } from '../../scan.ts'
import { type Place, ScanCollector } from '../collector.ts'
import { eachObject, notOf, object, objects, openObject, time } from '../values.ts'
import { type Rule, Rules } from './rules.ts'
import { severityOf } from './severity.ts'

type Values = Record<string, unknown>

/** SARIF 2.1.0 of any tool: `runs` with the rules of their tool and the `results` against them. */
export function readSarif(bytes: Uint8Array): Scan {
  const reader = openObject(bytes)
  const collector = new ScanCollector('sarif')
  let generatedAt: number | undefined
  let found = false
  for (const key of reader.members()) {
    if (key !== 'runs' || !reader.isArray()) continue
    found = true
    for (const _ of reader.elements()) {
      if (reader.isObject()) generatedAt = readRun(reader, collector) ?? generatedAt
    }
  }
  reader.end()
  if (!found) throw notOf('sarif', 'runs')
  return collector.finish({ clusterName: undefined, generatedAt })
}

/** Returns when the run ended. */
function readRun(reader: JsonReader, collector: ScanCollector): number | undefined {
  const head: Values = {}
  let results: JsonReader | undefined
  for (const key of reader.members()) {
    if (key === 'results') results = reader.later()
    else if (headKeys.has(key)) head[key] = reader.value()
  }
  const driver = object(object(head.tool).driver)
  const category = string(driver.name) ?? ''
  const rules = new Rules(driver)
  for (const { id, name } of rules.all) collector.check({ id, name, category })
  const image = string(object(head.properties).imageName)
  if (image) collector.image(image, { namespace: null, resource: null })
  if (results) {
    for (const result of eachObject(results, 'runs.results')) {
      if (isOpen(result)) addResult(result, rules.of(result), category, collector)
    }
    results.end()
  }
  return time(object(objects(head.invocations)[0]).endTimeUtc)
}

const headKeys = new Set(['tool', 'properties', 'invocations'])

function addResult(result: Values, rule: Rule, category: string, collector: ScanCollector): void {
  const { id, name } = rule
  const message = messageOf(result, rule)
  const identity = withoutVersions(message)
  const item = { ...placeOf(result), message, value: lineOf(result), identity }
  collector.finding({ id, name, category }, severityOf(result, rule), item)
}

/** A result is a finding unless it says that all is well, has gone since the baseline, or is suppressed. */
function isOpen({ kind, baselineState, suppressions }: Values): boolean {
  if (kind !== undefined && kind !== 'fail') return false
  if (baselineState === 'absent') return false
  return !objects(suppressions).some(({ status }) => status === undefined || status === 'accepted')
}

const maxArgumentLength = 200

/** Both parts are cut: a short log could ask for a message of any length. */
function messageOf(result: Values, rule: Rule): string {
  const { text, id, arguments: values } = object(result.message)
  const template = string(text) ?? string(object(rule.messages[string(id) ?? '']).text) ?? rule.name
  const given = Array.isArray(values) ? values : []
  const argument = (i: string) => string(given[Number(i)])?.slice(0, maxArgumentLength)
  return template.slice(0, maxTextLength).replace(/\{(\d+)\}/g, (whole, i) => argument(i) ?? whole)
}

function placeOf(result: Values): Place {
  const location = object(objects(result.locations)[0])
  const logical = object(objects(location.logicalLocations)[0])
  const named = string(logical.fullyQualifiedName) ?? string(logical.name)
  const uri = string(object(object(location.physicalLocation).artifactLocation).uri)
  return { namespace: null, resource: named ?? uri ?? null }
}

function lineOf(result: Values): string | null {
  const { artifactLocation, region } = object(object(objects(result.locations)[0]).physicalLocation)
  const uri = string(object(artifactLocation).uri)
  const line = object(region).startLine
  return uri ? (typeof line === 'number' ? `${uri}:${line}` : uri) : null
}

/** Tools for packages write versions into their sentences, which change while the finding stays. */
function withoutVersions(message: string): string {
  return message.slice(0, maxTextLength).replace(/\bv?\d+(?:\.\d+)+[\w.~+:-]*/g, '#')
}
