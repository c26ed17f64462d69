import type { CustomResource } from '../contract/custom-resource.ts'
import type { Artifacts, ChartArtifact, DefinedResource, UsedApi } from '../reports/artifact.ts'
import type { AssessedItem } from './assessed.ts'
import { type ControlledGroup, controlledGroups } from './controlled-groups.ts'
import { lastSegment } from './image-names.ts'
import { compareStages, parseVersion, type Version } from './versions.ts'

/** A component that states a version, and the definition's version to compare with it. */
interface Compared {
  version: string | null
  version_from: string | null
  running: { name: string; version: string | null }[]
  /** Why there is nothing to compare, if no component runs. */
  missing: string
}

type Judged = Pick<CustomResource, 'controller' | 'controller_version' | 'state' | 'unknown_because'>

/** Rates CustomResourceDefinitions: versions in use, and whether they are older than their controller. */
export function assessCustomResources(
  { customResources, apis = [], charts }: Artifacts,
  assessed: AssessedItem[],
): CustomResource[] | undefined {
  return customResources?.map((one) => {
    const group = controlledGroups.find(({ isOf }) => isOf(one.group))
    const compared = comparedOf(one, group, { assessed, charts })
    const judged = judge(compared)
    return {
      name: one.name,
      kind: one.kind,
      versions: one.versions.map(({ name, served, storage, deprecated }) => ({
        name,
        is_served: served,
        is_storage: storage,
        is_deprecated: deprecated,
      })),
      stored_versions: one.stored,
      deprecated_in_use: deprecatedInUse(one, apis),
      version: compared.version,
      version_from: compared.version_from,
      ...judged,
      step: judged.state === 'older' ? stepFor(one, judged.controller_version!, group) : null,
    }
  })
}

/** Metrics name the resource instead of the kind. */
function deprecatedInUse({ name, group, kind, versions, stored }: DefinedResource, apis: readonly UsedApi[]) {
  const plural = name.split('.', 1)[0]
  const uses = apis.filter(
    (api) => api.group === group && api.by !== 'storedVersions' && (api.kind === kind || api.kind === plural),
  )
  const used = new Set([...stored, ...uses.map(({ version }) => version)])
  return [...used].flatMap((version) => {
    const own = versions.find((one) => one.name === version)
    if (own?.served && !own.deprecated) return []
    const by = uses.filter((use) => use.version === version).map((use) => use.by)
    return [{ version, by: [...new Set([...(stored.includes(version) ? ['storedVersions' as const] : []), ...by])] }]
  })
}

/**
 * An image's version is preferred; else the label of a workload, if its project labels both alike, or a chart with the same
 * name.
 */
function comparedOf(
  one: DefinedResource,
  group: ControlledGroup | undefined,
  { assessed, charts }: { assessed: AssessedItem[]; charts: ChartArtifact[] },
): Compared {
  const { version, versionFrom: version_from, chart, release, controller } = one
  const ofGroup = version !== null && version_from === group?.mark ? group : undefined
  const images = ofGroup ? controllersFor(ofGroup, assessed) : []
  if (images.length > 0) return { version, version_from, running: images, missing: '' }
  if (version !== null && controller) return { version, version_from, running: [controller], missing: '' }
  if (chart && !ofGroup) {
    const running = charts.filter(
      ({ name, release: installed }) => name === chart.name && (!release || installed === release.name),
    )
    return {
      version: chart.version,
      version_from: 'helm.sh/chart',
      running: running.map(({ name, version }) => ({ name: `chart ${name}`, version })),
      missing: `the chart ${chart.name} is not known to run`,
    }
  }
  return { version, version_from, running: [], missing: missingOf(version, ofGroup) }
}

const controllersFor = ({ project, image }: ControlledGroup, assessed: AssessedItem[]): Compared['running'] =>
  assessed
    .filter(
      ({ type, match, shortName }) =>
        type === 'image' && project !== null && match.project?.slug === project && image.test(lastSegment(shortName)),
    )
    .map((item) => ({ name: item.shortName, version: item.upstreamVersion ?? item.currentVersion }))

function missingOf(version: string | null, group: ControlledGroup | undefined): string {
  if (version === null) return 'it does not state its version'
  if (group?.project === null) return 'controllers of several projects support it'
  return 'no controller that runs states a version of its project'
}

/** Compares exact versions only: the rest of `v1.2` is unknown. */
function judge({ version, running, missing }: Compared): Judged {
  const unknown = (why: string, first = running[0]): Judged => ({
    controller: first?.name ?? null,
    controller_version: first?.version ?? null,
    state: 'unknown',
    unknown_because: why,
  })
  const own = exact(version)
  if (running.length === 0) return unknown(missing)
  if (!own) return unknown('its version is not an exact one')
  const found = running.flatMap((one) => {
    const read = exact(one.version)
    return read ? [{ ...one, read }] : []
  })
  if (found.length < running.length) return unknown('the version of its controller is not known exactly')
  const orders = new Set(found.map(({ read }) => Math.sign(compareStages(own, read))))
  if (orders.size > 1) return unknown('controllers of several versions run')
  const newest = found.reduce((a, b) => (compareStages(a.read, b.read) < 0 ? b : a))
  const [order] = orders
  return {
    controller: newest.name,
    controller_version: newest.version,
    state: order === 0 ? 'equal' : order === -1 ? 'older' : 'newer',
    unknown_because: null,
  }
}

function exact(text: string | null): Version | undefined {
  const read = text === null ? undefined : parseVersion(text)
  return read && read.segments.length >= 3 ? read : undefined
}

/** Git and Helm would revert a manual change, so a definition that they installed is upgraded there. */
function stepFor(one: DefinedResource, to: string, group: ControlledGroup | undefined): string {
  const { appliedBy, release, name, chart } = one
  if (release) {
    const where = release.namespace === null ? '' : ` in ${release.namespace}`
    return `Upgrade the Helm release ${release.name}${where}, which installed it, with the definitions of its chart enabled.`
  }
  if (appliedBy?.startsWith('HelmRelease ')) {
    return `Set spec.upgrade.crds to CreateReplace in the ${appliedBy}: without it, Flux does not upgrade definitions.`
  }
  if (appliedBy) return `Raise the definition to ${to} where git has it: the ${appliedBy} applies it.`
  const command = group?.command?.(to, name)
  if (command !== undefined) return command
  const of = chart === null ? `version ${to} of its project` : `version ${to} of the chart ${chart.name}`
  return `Apply the definition of ${of}. Helm does not upgrade definitions in a chart's folder crds.`
}
