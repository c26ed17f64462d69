/** Registries of packages. */
export const packageSources = ['npm', 'pypi', 'maven'] as const
export type PackageSource = (typeof packageSources)[number]
/** Where a project publishes its releases; it has one of these, and maybe charts as well. */
export const projectSources = ['github', 'git', ...packageSources] as const
/** `oci` has images or charts. */
const appSources = [...projectSources, 'oci'] as const
export const releaseSources = [...appSources, 'helm'] as const
export type SourceKind = (typeof releaseSources)[number] | 'advisories' | 'osv' | 'eol'
