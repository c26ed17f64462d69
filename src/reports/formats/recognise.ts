import type { reportFormats } from '../../contract/choices.ts'
import { isObject, JsonReader } from '../../util/json.ts'
import { type ForeignFormat, nameForeign } from './foreign.ts'
import { toKubescapeKind } from './kubescape/operator-kind.ts'
import { toItem } from './other-kinds.ts'
import { hasKeys, isObjectWith, type Lookahead, outline, someElement, someMember } from './peek.ts'
import { isPolicyReport } from './policy-report/kind.ts'
import { toOperatorKind } from './trivy/operator-kind.ts'
import { object, objects, type Values } from './values.ts'

export type NamedFormat = (typeof reportFormats)[number]

export interface RecognisedFormat {
  format: NamedFormat | undefined
  /** The recognised foreign format, if known. */
  foreign?: ForeignFormat | undefined
}

/**
 * Detects the scanner of a report by the members that its reports must have. Stops at the first decisive member; other
 * documents are read to their end. Throws `invalid_json`.
 */
export function recognise(bytes: Uint8Array): RecognisedFormat {
  const reader = new JsonReader(bytes, 'The report')
  if (!reader.isObject()) return recogniseList(reader)
  const head: Values = {}
  for (const key of reader.members()) {
    const known = looks.get(key)
    if (known) {
      if (known.look(reader)) return { format: known.format }
      head[key] = true
    } else {
      head[key] = key === 'items' ? outlineOfItems(reader) : outline(reader)
      const format = scalarTells.get(key)?.(head)
      if (format) return { format }
    }
  }
  reader.end()
  const format = isObject(head.items) ? formatOfObject(toItem(head.items, head)) : undefined
  if (format) return { format }
  const foreign = nameForeign(head)
  return foreign ? { format: undefined, foreign } : { format: recogniseWhole(head) }
}

/** A bare list of reports of an operator, or of controls: older builds of kube-bench write one. */
function recogniseList(reader: JsonReader): RecognisedFormat {
  if (!reader.isArray()) return { format: undefined }
  for (const _ of reader.elements()) {
    const first = object(reader.value())
    const format = isControls(first) ? 'kube-bench' : formatOfObject(first)
    return format ? { format } : { format, foreign: nameForeign(first) }
  }
  return { format: undefined }
}

/** Fields of KubeBuddy's checks: one of the first two, or two of the others, identify a check. */
const checkKeys = new Set('Total Items ID Name Category Section Severity Weight Status Error Recommendation'.split(' '))

const isCheck = hasKeys((keys) => {
  const known = [...keys].filter((key) => checkKeys.has(key))
  return known.length > 1 || keys.has('Total') || keys.has('Items')
})
const isResource = someElement(hasKeys((keys) => keys.has('Kind') && keys.has('Name')))
const isGroup = (group: Values) => objects(group.results).some((result) => typeof result.test_number === 'string')
const isControls = (controls: Values) => objects(controls.tests).some(isGroup)
const hasChecks: Lookahead = (reader) => (reader.isArray() ? someElement(isCheck) : someMember(isCheck))(reader)
const isSection = hasKeys((keys) => ['sections', 'sanitizers', 'score'].some((key) => keys.has(key)))

/** Top-level members of reports, with the content they must have. */
const looks = new Map<string, { format: NamedFormat; look: Lookahead }>([
  ['checks', { format: 'kubebuddy', look: hasChecks }],
  ['Resources', { format: 'trivy', look: isResource }],
  ['Findings', { format: 'trivy', look: isResource }],
  ['Vulnerabilities', { format: 'trivy', look: isResource }],
  ['Misconfigurations', { format: 'trivy', look: isResource }],
  ['summaryDetails', { format: 'kubescape', look: hasKeys((keys) => keys.has('controls') || keys.has('frameworks')) }],
  ['popeye', { format: 'popeye', look: isSection }],
  ['Controls', { format: 'kube-bench', look: someElement(isObjectWith(isControls)) }],
  ['tests', { format: 'kube-bench', look: someElement(isObjectWith(isGroup)) }],
  ['inventory', { format: 'inventory', look: hasKeys((keys) => keys.has('taken_at')) }],
  ['runs', { format: 'sarif', look: someElement(hasKeys((keys) => keys.has('tool') || keys.has('results'))) }],
])

const scalarTells = new Map<string, (head: Values) => NamedFormat | undefined>([
  ['ArtifactName', ({ ArtifactName: name }) => (typeof name === 'string' ? 'trivy' : undefined)],
  ['apiVersion', formatOfObject],
  ['kind', formatOfObject],
  ['items', ({ items }) => formatOfObject(object(items))],
  ['PolarisOutputVersion', (head) => (typeof head.PolarisOutputVersion === 'string' ? 'polaris' : undefined)],
])

/** The first item that is an operator's report, else the first item. */
function outlineOfItems(reader: JsonReader) {
  if (!reader.isArray()) return outline(reader)
  let first: Values | undefined
  for (const _ of reader.elements()) {
    const item = outline(reader)
    if (!isObject(item)) continue
    if (formatOfObject(item)) return item
    first ??= item
  }
  return first
}

/** The format of a Kubernetes object from an operator or a policy engine. */
function formatOfObject(object: Values): NamedFormat | undefined {
  if (toOperatorKind(object)) return 'trivy'
  if (toKubescapeKind(object)) return 'kubescape'
  return isPolicyReport(object) ? 'policy-report' : undefined
}

const metadataKeys = [
  'clusterName',
  'kubernetesVersion',
  'score',
  'generatedAt',
  'excludeNamespacesEnabled',
  'excludedNamespaces',
  'excludedChecks',
  'aks',
]
const trivyKeys = new Set(['SchemaVersion', 'ClusterName', 'CreatedAt', 'ReportID', 'Trivy'])
const emptyLists = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations']

/** A scan without findings omits its lists or leaves them empty. */
function recogniseWhole(head: Values): NamedFormat | undefined {
  const keys = Object.keys(head)
  const metadata = object(head.metadata)
  if (metadataKeys.some((key) => Object.hasOwn(metadata, key))) return 'kubebuddy'
  if (typeof head.ClusterName === 'string' && keys.every((key) => trivyKeys.has(key) || emptyLists.includes(key))) {
    return 'trivy'
  }
  if (head.runs && /^2\.|sarif/.test(`${head.version} ${head.$schema}`)) return 'sarif'
  if (head.Controls && head.Totals) return 'kube-bench'
  if (head.summaryDetails && Object.hasOwn(head, 'generationTime')) return 'kubescape'
  return undefined
}
