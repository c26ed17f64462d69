import type { RenamedWorkload } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import { remember } from '../util/remember.ts'
import { namespaceAt, recordLength } from './finding-records.ts'
import { readFindings } from './read-findings.ts'
import type { RunFindings } from './run-findings.ts'
import { kindOfResource, stableResource } from './stable-name.ts'
import { stableText, stableValue } from './stable-text.ts'

/** Fewer identical findings may be a coincidence. */
const fewest = 3
/** More workloads that came or went indicate a change of the whole cluster, not a rename. */
const mostWorkloads = 50
const mostFindings = 5000

const kinds = new Set('pod deployment statefulset daemonset cronjob job replicaset'.split(' '))

interface Workload {
  namespace: string
  name: string
  findings: Finding[]
}

/**
 * Workloads that vanished while another with all of their findings and the same images appeared in their namespace. Shown as
 * a hint only, since the two may be different workloads.
 */
export async function findRenamed(
  from: RunFindings,
  to: RunFindings,
  { gone, came }: { gone: Finding[]; came: Finding[] },
): Promise<RenamedWorkload[]> {
  if (gone.length > mostFindings || came.length > mostFindings) return []
  const [vanished, arrived] = [workloadsFor(gone), workloadsFor(came)]
  if (vanished.length > mostWorkloads || arrived.length > mostWorkloads) return []
  const [before, after] = [vanished.map(withSignatures), arrived.map(withSignatures)]
  const pairs = before
    .filter(({ signatures }) => signatures.size >= fewest)
    .flatMap((old) => {
      const alike = after.filter(
        (each) => each.namespace === old.namespace && old.signatures.isSubsetOf(each.signatures),
      )
      // With two candidates, the match is ambiguous.
      return alike.length === 1 ? [{ old, now: alike[0]! }] : []
    })
  if (pairs.length === 0) return []
  const namespaces = new Set(pairs.map(({ old }) => old.namespace))
  const [known, present] = await Promise.all([workloadsIn(from, namespaces), workloadsIn(to, namespaces)])
  return pairs
    .filter(({ old, now }) => !present.has(toKey(old)) && !known.has(toKey(now)))
    .map(({ old, now }) => ({ namespace: old.namespace, from: old.name, to: now.name, findings: old.signatures.size }))
}

function workloadsFor(findings: Finding[]): Workload[] {
  const workloads = new Map<string, Workload>()
  for (const finding of findings) {
    const name = toWorkload(finding)
    if (name === undefined) continue
    const namespace = finding.namespace ?? ''
    const key = toKey({ namespace, name })
    remember(workloads, key, (): Workload => ({ namespace, name, findings: [] })).findings.push(finding)
  }
  return [...workloads.values()]
}

/** Name of the workload, `web`, from its pods or Deployment. */
function toWorkload({ resource }: Pick<Finding, 'resource'>): string | undefined {
  if (resource === null || !kinds.has(kindOfResource(resource))) return undefined
  const stable = stableResource(resource)
  return stable.slice(stable.indexOf('/') + 1)
}

/** Adds the workload's findings with its name removed. */
const withSignatures = (workload: Workload) => ({
  ...workload,
  signatures: new Set(workload.findings.map((finding) => toSignature(finding, workload.name))),
})

/** Values contain the images. */
function toSignature({ check_id, resource, message, value }: Finding, name: string): string {
  // Matches the workload's name, but not within an image reference.
  const own = new RegExp(`(?<![\\w./-])([A-Za-z]+/)?${RegExp.escape(name)}(?![\\w-])`, 'g')
  const texts = [stableText(message), stableValue(value ?? '')].map((text) => text.replace(own, '$1@'))
  return [check_id, kindOfResource(resource ?? ''), ...texts].join('\n')
}

/** Keys of workloads with findings in these namespaces. */
async function workloadsIn(run: RunFindings, namespaces: Set<string>): Promise<Set<string>> {
  const numbers = new Set(run.index.namespaces.flatMap((name, i) => (namespaces.has(name) ? [i + 1] : [])))
  const { records } = run.index
  const offsets: number[] = []
  for (let at = 0; at < records.length; at += recordLength) {
    if (numbers.has(namespaceAt(records, at))) offsets.push(at)
  }
  const findings = await readFindings(run, offsets)
  return new Set(
    findings.map((finding) => toKey({ namespace: finding.namespace ?? '', name: toWorkload(finding) ?? '' })),
  )
}

const toKey = ({ namespace, name }: Pick<Workload, 'namespace' | 'name'>): string => `${namespace}\n${name}`
