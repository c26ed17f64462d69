/** Operators whose reports can be collected. Separate from the code, because help and completion need them. */
export const reportSources = ['trivy-operator', 'kubescape', 'policy-reports'] as const
export type ReportSource = (typeof reportSources)[number]
