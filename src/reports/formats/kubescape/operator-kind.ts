import { kindIn, type Values } from '../values.ts'

const kinds = ['WorkloadConfigurationScan', 'VulnerabilityManifestSummary', 'VulnerabilityManifest'] as const

/** Kind of a Kubescape operator report that relt reads; undefined for any other object. */
export const toKubescapeKind = (object: Values) => kindIn(kinds, 'spdx.softwarecomposition.kubescape.io', object)
