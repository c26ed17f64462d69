import { entries, object, objects } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'

type Values = Record<string, unknown>

const words = (text: string) => text.split(' ')

/** Leaves out what no reader reads. What is not known stays: the reader must see that it does not know it. */
function without(value: unknown, keys: ReadonlySet<string>): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.has(key)))
}

const each = (rows: unknown, change: (row: Values) => unknown): unknown =>
  Array.isArray(rows) ? rows.map((row) => (isObject(row) ? change(row) : row)) : rows

const ofTrivy = new Set(words('updateTimestamp scanner'))
const ofRow = new Set(
  words(
    'description links cvss cvssSource score publishedDate lastModifiedDate class packageType category scope vectors layerID',
  ),
)
const saidOnce = new Set([...ofRow, ...words('title primaryLink remediation')])

/**
 * Leaves out of a report of Trivy's operator what its reader does not read: nine tenths of it. A title, which is the same in each
 * report, stays where it comes first.
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
        ...{ namespace, name, labels: Object.fromEntries(own) },
        ...(named.length > 0 && { annotations: Object.fromEntries(named) }),
        ...(own.length === 0 && { ownerReferences }),
      },
      report: this.#report(report),
    }
  }

  /** A report of an image without what it is about, which several workloads share. */
  trimImage({ apiVersion, kind, report }: Values): Values {
    return { apiVersion, kind, report: this.#report(report) }
  }

  /** Equal for reports that say the same of the same image. */
  toIdentity({ report }: Values): string {
    return JSON.stringify(trimmedReport(report, (row) => without(row, saidOnce)))
  }

  #report(report: unknown): unknown {
    return trimmedReport(report, (row, list) => {
      const id = `${list} ${row.vulnerabilityID ?? row.checkID ?? row.ruleID}`
      const isNamed = this.#named.has(id)
      this.#named.add(id)
      return without(row, isNamed ? saidOnce : ofRow)
    })
  }
}

function trimmedReport(report: unknown, row: (row: Values, list: string) => unknown): unknown {
  if (!isObject(report)) return report
  const lists = words('vulnerabilities secrets checks').filter((list) => report[list] !== undefined)
  return {
    ...(without(report, ofTrivy) as Values),
    ...Object.fromEntries(lists.map((list) => [list, each(withoutPlainUrls(report[list]), (one) => row(one, list))])),
  }
}

/** The URL of a package matters only where it sets two packages of one name apart. An empty path is none. */
function withoutPlainUrls(rows: unknown): unknown {
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

/** Leaves out of a compliance report what its reader does not read. */
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
    ...{ apiVersion, kind, metadata: { name: object(metadata).name } },
    spec: { compliance: { id: compliance.id, controls } },
    status: { ...rest, ...detail },
  }
}

const ofSpec = new Set(['relatedObjects'])
const ofRule = new Set(words('name status controlConfigurations'))
const ofPath = new Set(words('resourceID fixPathValue fixCommand'))

/** Leaves out of a report of Kubescape's operator what its reader does not read. */
export function trimKubescape({ apiVersion, kind, metadata, spec }: Values): Values {
  const { namespace, name, labels, annotations } = object(metadata)
  const own = (texts: unknown) =>
    Object.fromEntries(Object.entries(object(texts)).filter(([key]) => key.startsWith('kubescape.io/')))
  return {
    ...{ apiVersion, kind, metadata: { namespace, name, labels: own(labels), annotations: own(annotations) } },
    ...(spec !== undefined && { spec: trimmedSpec(spec) }),
  }
}

function trimmedSpec(spec: unknown): unknown {
  if (!isObject(spec) || !isObject(spec.controls)) return without(spec, ofSpec)
  const controls = entries(spec.controls).map(([key, control]) => [key, { ...control, rules: trimmedRules(control) }])
  return { ...(without(spec, ofSpec) as Values), controls: Object.fromEntries(controls) }
}

const trimmedRules = ({ rules }: Values): unknown =>
  each(rules, (rule) => ({
    ...(without(rule, ofRule) as Values),
    paths: each(rule.paths, (path) => without(path, ofPath)),
  }))

const ofPayload = new Set(words('source distro descriptor'))
const ofMatch = new Set(words('relatedVulnerabilities matchDetails appliedIgnoreRules'))
const ofVulnerability = new Set(words('namespace urls description cvss advisories epss risk cwes knownExploited'))
const ofArtifact = new Set(words('locations language licenses cpes upstreams metadataType metadata'))

/** Leaves out of the vulnerabilities of an image what their reader does not read: nine tenths of it. */
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

/** Leaves out of a policy report what its reader does not read. */
export function trimPolicy(report: Values): Values {
  const { namespace, name } = object(report.metadata)
  return {
    ...(without(report, ofPolicy) as Values),
    ...{ metadata: { namespace, name }, scope: without(report.scope, ofSubject) },
    results: each(report.results, (row) => ({
      ...(without(row, ofResult) as Values),
      ...(isObject(row.properties) && { properties: { exceptions: row.properties.exceptions } }),
      resources: each(row.resources, (subject) => without(subject, ofSubject)),
    })),
  }
}
