import { isObject } from '../../util/json.ts'
import { string } from '../text.ts'
import { operatorGroup } from './trivy/operator-kind.ts'
import { object, type Values } from './values.ts'

/** A file that is not a scan report. */
export interface ForeignFormat {
  /** Name with its article: "a CycloneDX SBOM". */
  name: string
  /** The command that writes a report that can be uploaded. */
  instead?: string
}

/** Detects the format of a document from its outline (see `outline`). */
export function nameForeign(head: Values): ForeignFormat | undefined {
  const has = (...keys: string[]) => keys.every((key) => Object.hasOwn(head, key))
  const found = kinds.find(([, isIt]) => isIt(head, has))
  if (found) {
    const [name, , instead] = found
    return { name, ...(instead && { instead }) }
  }
  return nameManifest(head)
}

type IsIt = (head: Values, has: (...keys: string[]) => boolean) => boolean

const operatorReports = 'kubectl get vulnerabilityreports,configauditreports -A -o json'

const kinds: [name: string, isIt: IsIt, instead?: string][] = [
  ['a CycloneDX SBOM', ({ bomFormat }) => bomFormat === 'CycloneDX', 'trivy sbom --format json FILE'],
  ['an SPDX SBOM', (_, has) => has('spdxVersion'), 'trivy sbom --format json FILE'],
  ['a Syft SBOM', (_, has) => has('artifacts', 'artifactRelationships'), 'grype -o sarif sbom:FILE'],
  ['a JSON report of Grype', (_, has) => has('matches', 'descriptor'), 'grype -o sarif IMAGE'],
  ['a JSON report of kube-score', (_, has) => has('object_name', 'checks'), 'kube-score score -o sarif FILE'],
  ['a JSON report of Checkov', (_, has) => has('check_type', 'results'), 'checkov -o sarif'],
  ['a JSON report of KICS', (_, has) => has('kics_version'), 'kics scan --report-formats sarif'],
  [
    'a JSON report of Terrascan',
    ({ results }) => Object.hasOwn(object(results), 'scan_summary'),
    'terrascan scan -o sarif',
  ],
  ['a JSON report of Semgrep', ({ results }, has) => has('errors', 'paths') && results !== true, 'semgrep --sarif'],
  ['a JSON report of Snyk', (_, has) => has('vulnerabilities', 'dependencyCount'), 'snyk test --sarif'],
  ['a JSON report of docker-bench-security', (_, has) => has('dockerbenchsecurity'), 'kube-bench --json'],
  ['an event of Falco', (_, has) => has('output', 'priority', 'rule')],
  ['a report of npm audit', (_, has) => has('auditReportVersion')],
  ['a Dependency-Check report', (_, has) => has('reportSchema', 'dependencies'), 'dependency-check --format SARIF'],
  ['a GitLab security report', (_, has) => has('vulnerabilities', 'scan')],
  ['an answer of Prometheus', ({ status, data }) => status === 'success' && Object.hasOwn(object(data), 'result')],
  ['a Grafana dashboard', (_, has) => has('panels', 'schemaVersion')],
  ['a Terraform plan', (_, has) => has('format_version', 'terraform_version')],
  ['the output of kubectl version', (_, has) => has('clientVersion')],
  [
    'a package.json',
    (_, has) => has('name', 'version') && ['dependencies', 'devDependencies', 'scripts'].some((key) => has(key)),
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
  return group === operatorGroup ? { name: named, instead: operatorReports } : { name: named }
}
