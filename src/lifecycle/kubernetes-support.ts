import type { Eol } from '../contract/eol.ts'
import { type EolReader, readCycles } from './cycle.ts'
import { kubernetesTable } from './kubernetes.ts'
import { offeringFor, offeringTitle } from './offering.ts'
import { offeringCycles } from './offering-cycles.ts'

interface KubernetesAsked {
  /** Version as stated by the cluster or a node, or a minor version. Null if unknown. */
  version: string | null
  /** Id of a managed offering, or a provider as named by a scan. The version itself takes precedence. */
  provider?: string | null | undefined
  /** `YYYY-MM-DD` */
  today: string
  /** Support ends of Kubernetes itself, if newer than the bundled ones. */
  upstream?: EolReader | undefined
}

/** A support end, or why it is unknown, as a clause. */
export type KubernetesSupport = { eol: Eol } | { eol?: undefined; unknown: string }

/**
 * Support end of a Kubernetes version: from the managed offering if its dates are known, else upstream. An offering that
 * does not list a minor version may support it for longer or shorter than upstream, so its end is unknown.
 */
export function kubernetesSupport({ version, provider, today, upstream }: KubernetesAsked): KubernetesSupport {
  const minor = /^v?(\d{1,3}\.\d{1,3})(?!\d)/.exec(version?.trim() ?? '')?.[1]
  if (version === null || minor === undefined) {
    return { unknown: version === null ? 'no version is stated' : 'it is no version of Kubernetes' }
  }
  const offering = offeringFor(version, provider)
  const own = offering === undefined ? undefined : offeringCycles(offering)
  if (!own) return upstreamSupport(minor, today, upstream)
  const title = offeringTitle(offering!)
  const found = own.cycles.find(({ cycle }) => cycle === minor)
  if (!found) return { unknown: `${title} did not list Kubernetes ${minor} on ${own.as_of}` }
  const { eol, extended, source } = found
  const facts = { cycle: minor, by: title, source, as_of: own.as_of }
  // Only clusters with long-term support have such a version.
  if (extended !== undefined && /-akslts\b/.test(version)) {
    return { eol: { ...facts, date: extended, is_eol: extended < today, is_lts: true } }
  }
  return {
    eol: { ...facts, date: eol, is_eol: eol < today, ...(extended !== undefined && { extended_until: extended }) },
  }
}

function upstreamSupport(minor: string, today: string, upstream: EolReader | undefined): KubernetesSupport {
  const segments = minor.split('.')
  const { as_of, cycles } = kubernetesTable()
  const eol = upstream?.(segments) ?? readCycles(cycles, today)(segments)
  if (!eol) return { unknown: `the dates of ${as_of} lack Kubernetes ${minor}` }
  return { eol: { ...eol, by: 'upstream', source: 'https://kubernetes.io/releases/', as_of } }
}
