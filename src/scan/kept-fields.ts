import { entries, object, objects } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'

type Values = Record<string, unknown>

const words = (text: string) => text.split(' ')

/** Removes fields that no reader needs. Unknown fields stay, so that the reader can detect them. */
function without(value: unknown, keys: ReadonlySet<string>) {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)))
}

const each = (rows: unknown, change: (row: Values) => unknown) =>
  Array.isArray(rows) ? rows.map((row) => (isObject(row) ? change(row) : row)) : rows

const ofTrivy = new Set(words('updateTimestamp scanner'))
const ofRow = new Set(
  words(
    'description links cvss cvssSource score publishedDate lastModifiedDate class packageType category scope vectors layerID',
  ),
)
const saidOnce = new Set([...ofRow, ...words('title primaryLink remediation')])

/**
 * Removes fields that relt's reader does not need from reports of Trivy's operator, which is nine tenths. A title repeated
 * in several reports stays in the first.
 */
export class TrivyTrimmer {
  readonly #named = new Set<string>()

  trim({ apiVersion, kind, metadata, report }: Values): Values {
    const { namespace, name, labels, annotations, ownerReferences } = object(metadata)
    const own = Object.entries(object(labels)).filter(([key]) => key.startsWith('trivy-operator.'))
    const named = Object.entries(object(annotations)).filter(([key]) => key.startsWith('trivy-operator.resource.'))
    return {
      apiVersion,
      kind,
      metadata: {
        namespace,
        name,
        labels: Object.fromEntries(own),
        ...(named.length > 0 && { annotations: Object.fromEntries(named) }),
        ...(own.length === 0 && { ownerReferences }),
      },
      report: this.#report(report),
    }
  }

  /** A report of an image without its place, which differs between workloads. */
  trimImage({ apiVersion, kind, report }: Values): Values {
    return { apiVersion, kind, report: this.#report(report) }
  }

  /** Equal for reports with equal content about the same image. */
  toIdentity({ report }: Values) {
    return JSON.stringify(trimmedReport(report, (row) => without(row, saidOnce)))
  }

  #report(report: unknown) {
    return trimmedReport(report, (row, list) => {
      const id = `${list} ${row.vulnerabilityID ?? row.checkID ?? row.ruleID}`
      const isNamed = this.#named.has(id)
      this.#named.add(id)
      return without(row, isNamed ? saidOnce : ofRow)
    })
  }
}

function trimmedReport(report: unknown, row: (row: Values, list: string) => unknown) {
  if (!isObject(report)) return report
  const lists = words('vulnerabilities secrets checks').filter((list) => report[list] !== undefined)
  return {
    ...(without(report, ofTrivy) as Values),
    ...Object.fromEntries(lists.map((list) => [list, each(withoutPlainUrls(report[list]), (one) => row(one, list))])),
  }
}

/** A package URL matters only if it distinguishes packages with the same name. An empty path counts as none. */
function withoutPlainUrls(rows: unknown) {
  const toName = ({ vulnerabilityID, resource }: Values) => `${vulnerabilityID} ${resource}`
  const counts = new Map<string, number>()
  for (const row of objects(rows)) counts.set(toName(row), (counts.get(toName(row)) ?? 0) + 1)
  return each(rows, ({ packagePURL, target, ...row }) => ({
    ...row,
    ...(target !== '' && { target }),
    ...(counts.get(toName(row))! > 1 && { packagePURL }),
  }))
}

const ofDetail = new Set(words('description relatedVersion'))
const ofCheck = new Set(words('description messages remediation category'))

/** Removes unneeded fields from a compliance report. */
export function trimCompliance({ apiVersion, kind, metadata, spec, status }: Values): Values {
  const compliance = object(object(spec).compliance)
  const controls = each(compliance.controls, ({ id, checks }) => ({ id, ...(checks !== undefined && { checks }) }))
  const { detailReport, ...rest } = object(status)
  const results = (rows: unknown) =>
    each(rows, (control) => ({
      ...(without(control, ofDetail) as Values),
      checks: each(control.checks, (check) => without(check, ofCheck)),
    }))
  const detail = isObject(detailReport) && {
    detailReport: { ...(without(detailReport, ofDetail) as Values), results: results(detailReport.results) },
  }
  return {
    apiVersion,
    kind,
    metadata: { name: object(metadata).name },
    spec: { compliance: { id: compliance.id, controls } },
    status: { ...rest, ...detail },
  }
}

const ofSpec = new Set(['relatedObjects'])
const ofRule = new Set(words('name status controlConfigurations'))
const ofPath = new Set(words('resourceID fixPathValue fixCommand'))

/** Removes unneeded fields from a report of Kubescape's operator. */
export function trimKubescape({ apiVersion, kind, metadata, spec }: Values): Values {
  const { namespace, name, labels, annotations } = object(metadata)
  const own = (texts: unknown) =>
    Object.fromEntries(Object.entries(object(texts)).filter(([key]) => key.startsWith('kubescape.io/')))
  return {
    apiVersion,
    kind,
    metadata: { namespace, name, labels: own(labels), annotations: own(annotations) },
    ...(spec !== undefined && { spec: trimmedSpec(spec) }),
  }
}

function trimmedSpec(spec: unknown) {
  if (!isObject(spec) || !isObject(spec.controls)) return without(spec, ofSpec)
  const controls = entries(spec.controls).map(([key, control]) => [
    key,
    {
      ...control,
      rules: each(control.rules, (rule) => ({
        ...(without(rule, ofRule) as Values),
        paths: each(rule.paths, (path) => without(path, ofPath)),
      })),
    },
  ])
  return { ...(without(spec, ofSpec) as Values), controls: Object.fromEntries(controls) }
}

const ofPayload = new Set(words('source distro descriptor'))
const ofMatch = new Set(words('relatedVulnerabilities matchDetails appliedIgnoreRules'))
const ofVulnerability = new Set(words('namespace urls description cvss advisories epss risk cwes knownExploited'))
const ofArtifact = new Set(words('locations language licenses cpes upstreams metadataType metadata'))

/** Removes unneeded fields, nine tenths, from the vulnerabilities of an image. */
export function trimManifest(report: Values): Values {
  const { spec, ...head } = trimKubescape(report)
  if (!isObject(spec)) return head
  const payload = without(spec.payload, ofPayload)
  const matches = (rows: unknown) =>
    each(rows, ({ vulnerability, artifact, ...match }) => ({
      ...(without(match, ofMatch) as Values),
      vulnerability: without(vulnerability, ofVulnerability),
      artifact: without(artifact, ofArtifact),
    }))
  if (!isObject(payload)) return { ...head, spec }
  const { matches: found, ignoredMatches: ignored } = payload
  return {
    ...head,
    spec: {
      ...spec,
      payload: {
        ...payload,
        ...(found !== undefined && { matches: matches(found) }),
        ...(ignored !== undefined && { ignoredMatches: matches(ignored) }),
      },
    },
  }
}

const ofPolicy = new Set(words('metadata'))
const ofResult = new Set(words('timestamp scored properties resourceSelector id subjects'))
const ofSubject = new Set(words('uid apiVersion resourceVersion fieldPath'))

/** Removes unneeded fields from a policy report. */
export function trimPolicy(report: Values): Values {
  const { namespace, name } = object(report.metadata)
  return {
    ...(without(report, ofPolicy) as Values),
    metadata: { namespace, name },
    scope: without(report.scope, ofSubject),
    results: each(report.results, (row) => ({
      ...(without(row, ofResult) as Values),
      ...(isObject(row.properties) && { properties: { exceptions: row.properties.exceptions } }),
      resources: each(row.resources, (subject) => without(subject, ofSubject)),
    })),
  }
}
