/** Operators whose reports can be collected. Separate from the code, because help and completion need them. */
export const reportSources = ['trivy-operator', 'kubescape', 'policy-reports'] as const
export type ReportSource = (typeof reportSources)[number]

/** What can be collected from a cluster without a scanner. */
export const collectSources = [...reportSources, 'inventory'] as const
export type CollectSource = (typeof collectSources)[number]
