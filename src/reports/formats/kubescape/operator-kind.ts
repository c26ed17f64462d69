import { string } from '../../text.ts'

const kubescapeGroup = 'spdx.softwarecomposition.kubescape.io'

const kinds = ['WorkloadConfigurationScan', 'VulnerabilityManifestSummary', 'VulnerabilityManifest'] as const

/** Kind of a Kubescape operator report that relt reads; undefined for any other object. */
export function toKubescapeKind({ apiVersion, kind }: Record<string, unknown>): (typeof kinds)[number] | undefined {
  const group = string(apiVersion)?.split('/')[0]?.toLowerCase() ?? kubescapeGroup
  const name = string(kind)?.toLowerCase()
  return group === kubescapeGroup ? kinds.find((each) => each.toLowerCase() === name) : undefined
}
