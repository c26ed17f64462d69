import type { UpgradeCheck, UpgradeStep } from '../contract/upgrade.ts'
import type { FleetStep, PlannedCluster } from '../contract/upgrade-fleet.ts'
import { compareLines } from './line.ts'

export interface NamedPlan {
  cluster_name: string
  environment: string
  run_id: string
  plan: Pick<UpgradeCheck, 'verdict' | 'catalog_date' | 'kubernetes' | 'from' | 'to' | 'reasons' | 'steps'>
}

/** Words in an environment's name that determine its upgrade order; names without any are between the last two. */
const stages = [
  ['sandbox', 'dev', 'devel', 'develop', 'development', 'local'],
  ['test', 'tests', 'testing', 'tst', 'qa', 'ci', 'int', 'integration'],
  ['staging', 'stage', 'stg', 'uat', 'pre', 'preprod', 'preproduction', 'acceptance', 'acc'],
  ['non', 'nonprod', 'nonproduction'],
  ['prod', 'production', 'prd', 'live'],
]
const saysNothing = stages.length - 2

/** If there are several words, the earliest counts: `pre-prod` is not production. */
function toStage(environment: string) {
  const words = new Set(
    environment
      .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
      .toLowerCase()
      .match(/\p{L}+/gu),
  )
  const stage = stages.findIndex((own) => own.some((word) => words.has(word)))
  return stage < 0 ? saysNothing : stage
}

/** Compares environments by the given order, which may be partial, else by the meaning of their names. */
export function compareEnvironments(order: readonly string[]): (a: string, b: string) => number {
  const ranks = new Map(order.map((name, index) => [name.toLowerCase(), index]))
  const rank = (environment: string) => ranks.get(environment.toLowerCase()) ?? order.length + toStage(environment)
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0)
}

/**
 * Each step once, with the clusters that need it, in the order of every cluster. If clusters need it at different hops, it
 * is placed where the first needs it.
 */
export function mergeSteps(plans: readonly NamedPlan[], order: readonly string[]): FleetStep[] {
  const compare = compareEnvironments(order)
  const all = plans
    .toSorted((a, b) => compare(a.environment, b.environment) || (a.cluster_name < b.cluster_name ? -1 : 1))
    .flatMap((of) => of.plan.steps.map((step) => ({ of, step })))
  const merged = [...Map.groupBy(all, ({ step }) => toKey(step)).values()].map((same) => {
    const first = same.map(({ step }) => step).reduce((one, other) => (compareSteps(other, one) < 0 ? other : one))
    const { number: _, workloads, evidence: __, kubelets: ___, owners: ____, ...step } = first
    return {
      step,
      places: same.length,
      clusters: same.map(({ of: { cluster_name, environment }, step: { hop, when } }) => ({
        cluster_name,
        environment,
        hop,
        when,
      })),
      workloads: same.reduce((sum, one) => sum + one.step.workloads.length, 0),
      ...toKubelets(same.map((one) => one.step)),
      ...ownersFor(same.map((one) => one.step)),
    }
  })
  return merged
    .sort((a, b) => compareSteps(a.step, b.step) || b.places - a.places)
    .map(({ step, places: _, ...more }, index) => ({ number: index + 1, ...step, ...more }))
}

/** Owners in any of the clusters. */
function ownersFor(steps: readonly Pick<UpgradeStep, 'owners'>[]): Pick<UpgradeStep, 'owners'> {
  if (steps.every(({ owners }) => !owners)) return {}
  return { owners: [...new Set(steps.flatMap(({ owners }) => owners ?? []))].sort() }
}

/** The nodes of all clusters, if known for all. */
function toKubelets(steps: readonly Pick<UpgradeStep, 'kubelets'>[]): Pick<UpgradeStep, 'kubelets'> {
  if (steps.some(({ kubelets }) => !kubelets)) return {}
  const all = steps.flatMap(({ kubelets }) => kubelets ?? [])
  const kubelets = [...Map.groupBy(all, ({ version }) => version)]
    .map(([version, same]) => ({ version, nodes: same.reduce((sum, one) => sum + one.nodes, 0) }))
    .sort((a, b) => compareLines(a.version, b.version))
  return { kubelets }
}

export function plannedCluster({ plan, ...named }: NamedPlan): PlannedCluster {
  const { verdict, kubernetes, from, to, reasons, steps } = plan
  const deciding = verdict === 'blocked' ? 'blocked' : verdict === 'undetermined' ? 'undetermined' : 'not_stated'
  const own = reasons.filter(({ word }) => word === deciding)
  return { ...named, verdict, kubernetes, from, to, steps: steps.length, reasons: own.slice(0, 5), total: own.length }
}

/** Steps for Kubernetes and nodes are merged per hop, and by whose support applies. */
const toKey = ({ kind, hop, when, project_slug, from, via, to, support }: UpgradeStep) =>
  JSON.stringify([...(kind === 'part' ? [] : [hop, when, support?.by]), project_slug, from, via, to])

const whens: UpgradeStep['when'][] = ['before', 'kubernetes', 'nodes', 'after']
type Ordered = Pick<UpgradeStep, 'hop' | 'when' | 'kind' | 'name' | 'from'>

function compareSteps(a: Ordered, b: Ordered) {
  return (
    compareLines(a.hop ?? '0', b.hop ?? '0') ||
    whens.indexOf(a.when) - whens.indexOf(b.when) ||
    Number(b.kind === 'nodes') - Number(a.kind === 'nodes') ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
  )
}
