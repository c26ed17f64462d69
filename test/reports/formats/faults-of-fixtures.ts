import { type Fault, type FaultDepth, faultsFor } from './faults.ts'
import { fixture, fixtureNames, kubebuddyFixtures } from './fixture.ts'

export const fixturesWithFaults = [...fixtureNames, ...kubebuddyFixtures]
type Name = (typeof fixturesWithFaults)[number]

/** Members that are there or not, because they are keyed by an id or a name: another scan may not have them. */
const named: Partial<Record<Name, RegExp>> = {
  kubebuddy: /^checks\.[^.]+$/,
  'kubebuddy-first': /^checks\.[^.]+$/,
  kubescape: /^summaryDetails\.controls\.[^.]+$/,
  'kubescape-operator': /\.controls\.[^.]+$/,
  polaris: /\bResults\.(?!Results|PodResult|ContainerResults|Name|Namespace|Kind|CreatedTime)[^.*]+$/,
  'popeye-sanitizers': /\.issues\.[^.]+$/,
  'popeye-sections': /\.issues\.[^.]+$/,
}

/** What the scanner itself writes where it found nothing, or where its format defines what an absence means. */
const legitimate: Partial<Record<Name, RegExp>> = {
  // Neither the controls nor the numbers of the operator have a total that another value would contradict.
  'kubescape-operator': /(?:controls\.[^.]+\.status\.status as "passed"|severities\.\w+\.all as 0)$/,
  polaris: /(?:Results as (?:null|\{\})|PodResult as null|ContainerResults as (?:null|\[\]))$/,
  'policy-report': /(?:severity (?:dropped|renamed|as null)|results as \[\]|result as "(?:PASS|skip)")$/,
  // A resource is tallied by the worst of its issues.
  'popeye-sanitizers': /level as 0$/,
  'popeye-sections': /level as 0$/,
  sarif:
    /(?:(?:defaultConfiguration|properties|level|security-severity) (?:dropped|renamed|moved to the root|as \{\}|as \{"toString":""\}|as [07]|as "none"|as "0")|results as \[\])$/,
  // Older operators list what passed, and no total counts failures.
  'trivy-compliance': /checks\.\*\.success as true$/,
  'trivy-image': /Vulnerabilities (?:dropped|as null|as \[\])$/,
  'trivy-k8s-all': /(?:Results|Vulnerabilities|Secrets) (?:dropped|as null|as \[\])$/,
  'trivy-k8s-summary': /(?:Results|Vulnerabilities) (?:dropped|as null|as \[\])$/,
}

/** The faults of a fixture that a reader must not take for a better report. */
export function* faultsOfFixture(name: Name, depth: FaultDepth = 'kinds'): Generator<Fault> {
  const isNamed = (path: string) => named[name]?.test(path) ?? false
  for (const fault of faultsFor(fixture(name), { isNamed, depth })) {
    if (!legitimate[name]?.test(`${fault.path} ${fault.what}`)) yield fault
  }
}
