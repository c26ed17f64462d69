import type { ReportFormat } from '../contract/scan-finding.ts'
import { JsonReader } from '../util/json.ts'
import type { OwnerLink } from './artifact.ts'
import { readItem } from './item.ts'
import { readReport } from './read.ts'

export interface KnownNames {
  /** Names of nodes. */
  nodes?: ReadonlySet<string>
  /** Revisions of DeploymentConfigs of OpenShift: `web-3`. */
  revisions?: ReadonlySet<string>
  owners?: OwnerLink[] | undefined
  /** Keys of pods that nothing owns: namespace and `pod/debug-1`. */
  bare?: Iterable<string> | undefined
  /** What the scan says of the other pods: that something owns all of them, or none. */
  pods?: 'owned' | 'bare' | undefined
}

// The first letters are rare, which makes the search several times faster.
const key = Buffer.from('Node":')
const deployer = Buffer.from('deploy"')
const [quote, hyphen] = [...Buffer.from('"-')]
/** At most this many nodes or revisions are collected. */
const maxNames = 20_000
const maxNodeName = 253

/**
 * Node names in a report of KubeBuddy: rows about nodes, and rows of pods that state where they run, have the field `Node`.
 * Collected before the rows are read, because other checks may come first.
 */
export function nodeNamesIn(report: Buffer): Set<string> {
  const names = new Set<string>()
  for (const at of placesOf(key, report)) {
    if (report[at - 1] !== quote) continue
    const value = report.toString('latin1', at + key.length, at + key.length + maxNodeName + 40)
    const name = /^\s*"([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)"/.exec(value)?.[1]
    if (name !== undefined) names.add(name)
    if (names.size === maxNames) break
  }
  return names
}

function* placesOf(text: Buffer, report: Buffer) {
  for (let at = report.indexOf(text); at >= 0; at = report.indexOf(text, at + text.length)) yield at
}

/** Collects `web-3` from the pod `web-3-deploy`, which rolls out a revision of an OpenShift DeploymentConfig. */
export function revisionsIn(report: Buffer): Set<string> {
  const revisions = new Set<string>()
  for (const at of placesOf(deployer, report)) {
    if (report[at - 1] !== hyphen) continue
    const before = report.toString('latin1', Math.max(0, at - maxNodeName), at - 1)
    const name = /(?<=["/])[a-z0-9](?:[a-z0-9.-]{0,240}[a-z0-9])?-\d{1,5}$/.exec(before)?.[0]
    if (name !== undefined) revisions.add(name)
    if (revisions.size === maxNames) break
  }
  return revisions
}

// As above, the first letter is rare.
const nakedPods = Buffer.from('POD010"')

/** The pods that nothing owns, by the check for these; if it ran, something owns all others. */
function barePodsIn(report: Buffer): Pick<KnownNames, 'bare' | 'pods'> {
  for (const at of placesOf(nakedPods, report)) {
    const start = at + nakedPods.length
    const between = /^\s*:\s*(?=\{)/.exec(report.toString('latin1', start, start + 40))?.[0]
    if (between === undefined || report[at - 1] !== quote) continue
    const POD010 = new JsonReader(report.subarray(start + between.length), 'The report').value()
    const bare = new Set<string>()
    const { checks } = readReport(Buffer.from(JSON.stringify({ checks: { POD010 } })), (check) =>
      check.read((row) => {
        const { namespace, resource } = readItem(row, check)
        if (resource !== null) bare.add(podKey(namespace, resource))
      }),
    )
    const [check] = checks
    const isComplete = check?.notRun === undefined && check?.total === bare.size
    return { bare, ...(isComplete && { pods: 'owned' }) }
  }
  return {}
}

/** `resource` is a pod, under any spelling of its kind. */
export const podKey = (namespace: string | null, resource: string): string =>
  `${namespace ?? ''}\n${resource.slice(resource.indexOf('/') + 1)}`

/** Names in a report of KubeBuddy that help to recognize generated names. */
export function namesIn({ buffer, byteOffset, byteLength }: Uint8Array): Omit<KnownNames, 'owners'> {
  const report = Buffer.from(buffer, byteOffset, byteLength)
  return { nodes: nodeNamesIn(report), revisions: revisionsIn(report), ...barePodsIn(report) }
}

/** These list a pod only if nothing owns it; else they list what owns it. */
export const podsOf = (format: ReportFormat): KnownNames['pods'] =>
  format === 'trivy' || format === 'kubescape' || format === 'polaris' ? 'bare' : undefined
