import { reportFormats } from '../../contract/choices.ts'
import type { ReportFormat } from '../../contract/cluster-report.ts'
import { invalidParams, type ReltError } from '../../errors.ts'
import { isObject, JsonReader } from '../../util/json.ts'

/** Members at the top of a report that only one scanner writes. */
const tellingKeys = new Map<string, ReportFormat>([
  ['checks', 'kubebuddy'],
  ['Resources', 'trivy'],
  ['Findings', 'trivy'],
  ['Vulnerabilities', 'trivy'],
  ['Misconfigurations', 'trivy'],
  ['ArtifactName', 'trivy'],
  ['items', 'trivy'],
  ['summaryDetails', 'kubescape'],
  ['popeye', 'popeye'],
  ['PolarisOutputVersion', 'polaris'],
  ['Controls', 'kube-bench'],
  ['tests', 'kube-bench'],
  ['runs', 'sarif'],
])

/** Members that tell it when no other one does: a scan that found nothing leaves out its lists. */
const lastKeys = new Map<string, ReportFormat>([
  ['metadata', 'kubebuddy'],
  ['ClusterName', 'trivy'],
])

/** Whose report has this member at its top, when that alone tells it. */
export const formatOfKey = (key: string): ReportFormat | undefined => tellingKeys.get(key)

/** Whose report it is, by its shape: it is read as far as its first member that tells. Throws `invalid_json`. */
export function recogniseFormat(bytes: Uint8Array): ReportFormat | undefined {
  const reader = new JsonReader(bytes, 'The report')
  if (reader.isArray()) return recogniseList(reader)
  if (!reader.isObject()) return undefined
  let last: ReportFormat | undefined
  for (const key of reader.members()) {
    const format = tellingKeys.get(key)
    if (format) return format
    last ??= lastKeys.get(key)
    reader.skip()
  }
  return last
}

export function unknownFormat(): ReltError {
  const known = reportFormats.join(', ')
  return invalidParams({ report: `is of no known shape; known are the JSON reports of ${known}` })
}

/** Older builds of kube-bench write a bare list of controls. */
function recogniseList(reader: JsonReader): ReportFormat | undefined {
  for (const _ of reader.elements()) {
    const first = reader.value()
    return isObject(first) && Array.isArray(first.tests) ? 'kube-bench' : undefined
  }
  return undefined
}
