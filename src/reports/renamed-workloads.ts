import type { RenamedWorkload } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import { namespaceAt, recordLength } from './finding-records.ts'
import { readFindings } from './read-findings.ts'
import type { RunFindings } from './run-findings.ts'
import { kindOfResource, stableResource } from './stable-name.ts'
import { stableText, stableValue } from './stable-text.ts'

/** Fewer findings alike may be chance. */
const fewest = 3
/** More workloads that came or went are no renaming, but a change of the whole cluster. */
const mostWorkloads = 200
const mostFindings = 20_000

const kinds = new Set('pod deployment statefulset daemonset cronjob job replicaset'.split(' '))

interface Workload {
  namespace: string
  name: string
  /** Its findings without its name. */
  signatures: Set<string>
}

interface Sides {
  from: RunFindings
  to: RunFindings
  gone: Finding[]
  came: Finding[]
}

/**
 * Workloads that vanished while another came in their namespace that has all of their findings, with the same images. They are
 * a hint beside the findings, which may hide that one of both is another workload.
 */
export async function findRenamed({ from, to, gone, came }: Sides): Promise<RenamedWorkload[]> {
  if (gone.length > mostFindings || came.length > mostFindings) return []
  const [before, after] = [workloadsOf(gone), workloadsOf(came)]
  if (before.length > mostWorkloads || after.length > mostWorkloads) return []
  const renamed: RenamedWorkload[] = []
  for (const old of before.filter(({ signatures }) => signatures.size >= fewest)) {
    const alike = after.filter(
      ({ namespace, signatures }) => namespace === old.namespace && old.signatures.isSubsetOf(signatures),
    )
    const [one, ...others] = alike
    // Of two that are alike, either may be it.
    if (!one || others.length > 0) continue
    if ((await hasFindings(to, old)) || (await hasFindings(from, one))) continue
    renamed.push({ namespace: old.namespace, from: old.name, to: one.name, findings: old.signatures.size })
  }
  return renamed
}

function workloadsOf(findings: Finding[]): Workload[] {
  const workloads = new Map<string, Workload>()
  for (const finding of findings) {
    const name = workloadOf(finding)
    if (name === undefined) continue
    const namespace = finding.namespace ?? ''
    const key = `${namespace}\n${name}`
    const workload = workloads.get(key) ?? { namespace, name, signatures: new Set() }
    workload.signatures.add(signatureOf(finding, name))
    workloads.set(key, workload)
  }
  return [...workloads.values()]
}

/** `web`, of its pods and of its Deployment. */
function workloadOf({ resource }: Pick<Finding, 'resource'>): string | undefined {
  if (resource === null || !kinds.has(kindOfResource(resource))) return undefined
  const stable = stableResource(resource)
  return stable.slice(stable.indexOf('/') + 1)
}

/** Values hold the images. */
function signatureOf({ check_id, resource, message, value }: Finding, name: string): string {
  // Not where it is a part of an image.
  const own = new RegExp(`(?<![\\w./-])([A-Za-z]+/)?${RegExp.escape(name)}(?![\\w-])`, 'g')
  const texts = [stableText(message), stableValue(value ?? '')].map((text) => text.replace(own, '$1@'))
  return [check_id, kindOfResource(resource ?? ''), ...texts].join('\n')
}

async function hasFindings(run: RunFindings, { namespace, name }: Workload): Promise<boolean> {
  const number = run.index.namespaces.indexOf(namespace) + 1
  const { records } = run.index
  const offsets: number[] = []
  for (let at = 0; at < records.length; at += recordLength) {
    if (namespaceAt(records, at) === number) offsets.push(at)
  }
  return (await readFindings(run, offsets)).some((finding) => workloadOf(finding) === name)
}
