/** Where a project publishes its releases; a project has one of these, and may have charts as well. */
export const projectSources = ['github', 'git'] as const
/** `oci` has images or charts. */
export const appSources = [...projectSources, 'oci'] as const
export const releaseSources = [...appSources, 'helm'] as const
export type SourceKind = (typeof releaseSources)[number] | 'advisories' | 'osv' | 'eol'
