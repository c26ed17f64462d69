import type { ApiRemoval, Compatibility } from '../contract/upgrade-facts.ts'
import { count } from '../util/words.ts'

/** Texts of plans that are the same in every medium. */

const verbs: Record<Compatibility['kind'], string> = {
  required: 'requires',
  supported: 'supports',
  stated: 'names',
  tested: 'is tested with',
}

/** `KEDA 2.18 supports Kubernetes 1.31 to 1.33.` */
export function rangeText(name: string, row: RangeRow) {
  const { line, kind, kubernetes_min, kubernetes_max, from_patch, chart } = row
  if (chart) return `Helm refuses the chart ${chart.name} ${chart.version} outside of Kubernetes ${chart.range}.`
  const span = `Kubernetes ${spanText(kubernetes_min, kubernetes_max)}.`
  if (from_patch === undefined) return `${name} ${line} ${verbs[kind]} ${span}`
  return `${name} ${line}, from ${from_patch} on, ${verbs[kind]} ${span}`
}

type RangeRow = Pick<Compatibility, 'line' | 'kind' | 'kubernetes_min' | 'kubernetes_max' | 'from_patch' | 'chart'>

function spanText(min: string | null, max: string | null) {
  if (min === null) return `${max} at most`
  if (max === null) return `${min} or later`
  return min === max ? min : `${min} to ${max}`
}

/** Explains a surprising rule of Helm. */
export const suffixText = (suffix: string) =>
  `Helm takes versions that end in ${suffix}… for pre-releases, and this range names none.`

/** Explains a range without an upper end. */
export function openEndText({ as_of }: Compatibility, upTo: string) {
  return `No maximum is stated, so this counts up to Kubernetes ${upTo}, the newest on ${as_of}.`
}

export const noRangeText = (name: string, version: string | null) =>
  version === null
    ? `The version of ${name} is unknown.`
    : `No source states which Kubernetes ${name} ${version} goes with.`

export const chartOnlyText = (name: string, version: string | null) =>
  `Ranges are about versions of ${name} itself, and only that of its chart is known${version === null ? '' : `: ${version}`}.`

export const chartVersionText = (name: string, row: { chart_name: string; version: string; app_version: string }) =>
  `${row.version} is a version of the chart ${row.chart_name}, which installs ${name} ${row.app_version}.`

export const clusterText = (name: string) => `${name} is what this upgrades, and no part of it.`

export const noProjectText = (typed: string) =>
  `The catalog has no project ${typed}, so nothing is known of its ranges.`

export function silentText({ line, kind, as_of }: Compatibility, name: string, kubernetes: string) {
  if (kind === 'tested') return `${name} ${line} states no tested maximum, and nothing about Kubernetes ${kubernetes}.`
  if (kind === 'supported') return `Kubernetes ${kubernetes} is newer than the source of ${name} ${line}, of ${as_of}.`
  return `${name} ${line} states a minimum only, and nothing about Kubernetes ${kubernetes}.`
}

interface OppositeOrder {
  version: string | null
  line: string | undefined
  hop: string
}

/** For two components that each must be upgraded first. */
export const oppositeOrderText = (name: string, { version, line, hop }: OppositeOrder) =>
  `Opposite orders: ${name} ${version} must go before Kubernetes ${hop}, and ${name} ${line}, the next, needs Kubernetes ${hop} first.`

/** The project does not promise support beyond tested versions. */
export const untestedText = (name: string, version: string, kubernetes: string) =>
  `Nobody states that ${name} ${version} works with Kubernetes ${kubernetes}; it may.`

export const silentReleaseText = (name: string, version: string, kubernetes: string) =>
  `${name} ${version} is newer, but no source states whether it goes with Kubernetes ${kubernetes}.`

export const oldReleasesText = (name: string, day: string, kubernetes: string) =>
  `No release of ${name} known until ${day} goes with Kubernetes ${kubernetes}; a newer one may: relt catalog sync, or relt catalog import FILE.`

/** Why a line in the range was not chosen. */
export const passedText = (name: string, line: string, because: string) => `${name} ${line} is passed over: ${because}.`

export const pairedText = (name: string) =>
  `A release of ${name} goes with one or two minor versions of Kubernetes, and usually works on more.`

interface NodeDistance {
  /** In minor versions. */
  older: number
  allowed: number
  hop?: string
}

/** Nodes too old for the new API server. */
export const olderNodesText = (version: string, { older, allowed, hop }: NodeDistance) =>
  hop === undefined
    ? `Nodes of ${version} are ${count(older, 'minor version')} older than the API server; ${allowed} allowed.`
    : `Nodes of ${version} would be ${count(older, 'minor version')} older than Kubernetes ${hop}; ${allowed} allowed.`

export const newerNodesText = (version: string, nodes: number, last: string) =>
  `${count(nodes, 'node')} of ${version} ${nodes === 1 ? 'is' : 'are'} newer than Kubernetes ${last}, which the skew policy never allows.`

export const unknownNodesText =
  'The versions of the nodes are unknown, and so is whether each is close enough to the API server.'

export const silentNodesText = (nodes: number) =>
  nodes === 1
    ? '1 node states no version of its kubelet.'
    : `${count(nodes, 'node')} state no version of their kubelets.`

/** `policy/v1beta1 PodDisruptionBudget` */
export function apiText({ group, version, kind }: Pick<ApiRemoval, 'group' | 'version' | 'kind'>) {
  return `${group === '' ? version : `${group}/${version}`} ${kind}`
}

export const verdictWords = {
  ready: 'READY',
  warnings: 'READY WITH WARNINGS',
  blocked: 'BLOCKED',
  undetermined: 'CANNOT DETERMINE',
} as const
