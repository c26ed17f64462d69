import { isObject } from '../../util/json.ts'
import { string } from '../text.ts'
import { operatorGroup } from './trivy/operator-kind.ts'
import { object, type Values } from './values.ts'

/** A file that is not a scan report. */
export interface ForeignFormat {
  /** Name with its article: "a CycloneDX SBOM". */
  name: string
  /** The command that writes a report that can be uploaded. */
  instead?: string | undefined
}

/** Detects the format of a document from its outline (see `outline`). */
export function nameForeign(head: Values): ForeignFormat | undefined {
  const isIn = (member: string) => Object.hasOwn(head, member)
  const found = kinds.find(([, members, , fits]) => members.split(' ').every(isIn) && (fits?.(head) ?? true))
  return found ? { name: found[0], instead: found[2] } : nameManifest(head)
}

const operatorReports = 'kubectl get vulnerabilityreports,configauditreports -A -o json'

/** Each with the members that only its documents have. */
const kinds: [name: string, members: string, instead?: string | undefined, fits?: (head: Values) => boolean][] = [
  ['a CycloneDX SBOM', 'bomFormat', 'trivy sbom --format json FILE', ({ bomFormat }) => bomFormat === 'CycloneDX'],
  ['an SPDX SBOM', 'spdxVersion', 'trivy sbom --format json FILE'],
  ['a Syft SBOM', 'artifacts artifactRelationships', 'grype -o sarif sbom:FILE'],
  ['a JSON report of Grype', 'matches descriptor', 'grype -o sarif IMAGE'],
  ['a JSON report of kube-score', 'object_name checks', 'kube-score score -o sarif FILE'],
  ['a JSON report of Checkov', 'check_type results', 'checkov -o sarif'],
  ['a JSON report of KICS', 'kics_version', 'kics scan --report-formats sarif'],
  [
    'a JSON report of Terrascan',
    'results',
    'terrascan scan -o sarif',
    ({ results }) => Object.hasOwn(object(results), 'scan_summary'),
  ],
  ['a JSON report of Semgrep', 'errors paths', 'semgrep --sarif', ({ results }) => results !== true],
  ['a JSON report of Snyk', 'vulnerabilities dependencyCount', 'snyk test --sarif'],
  ['a JSON report of docker-bench-security', 'dockerbenchsecurity', 'kube-bench --json'],
  ['an event of Falco', 'output priority rule'],
  ['a report of npm audit', 'auditReportVersion'],
  ['a Dependency-Check report', 'reportSchema dependencies', 'dependency-check --format SARIF'],
  ['a GitLab security report', 'vulnerabilities scan'],
  [
    'an answer of Prometheus',
    'status data',
    undefined,
    ({ status, data }) => status === 'success' && Object.hasOwn(object(data), 'result'),
  ],
  ['a Grafana dashboard', 'panels schemaVersion'],
  ['a Terraform plan', 'format_version terraform_version'],
  ['the output of kubectl version', 'clientVersion'],
  [
    'a package.json',
    'name version',
    undefined,
    (head) => ['dependencies', 'devDependencies', 'scripts'].some((key) => Object.hasOwn(head, key)),
  ],
]

/** `kind` of a Kubernetes manifest, or of the first object in a list. */
function nameManifest(head: Values): ForeignFormat | undefined {
  const { apiVersion, kind, items } = head
  const [version, name] = [string(apiVersion), string(kind)?.slice(0, 60)]
  if (!version || !name) return undefined
  if (Object.hasOwn(head, 'items') && !isObject(items)) return { name: `an empty Kubernetes ${name}` }
  const item = object(items)
  const inside = string(item.kind)
  if (inside) return nameKind(`a Kubernetes list of ${inside.slice(0, 60)} objects`, string(item.apiVersion) ?? '')
  return nameKind(`a Kubernetes ${name}`, version)
}

function nameKind(name: string, apiVersion: string): ForeignFormat {
  const [group = ''] = apiVersion.split('/')
  const named = group.includes('.') ? `${name} (${group.slice(0, 60)})` : name
  return { name: named, instead: group === operatorGroup ? operatorReports : undefined }
}
