import { compileTagPattern } from '../freshness/tag-pattern.ts'
import { parseVersion } from '../freshness/versions.ts'
import type { Source } from './collector.ts'

/** Undefined for tags that are not releases of the application: those of charts, parts, variants or branches. */
export type TagReader = (tag: string) => { isPrerelease: boolean } | undefined

/**
 * With a pattern, the remaining text must start with the number: `cluster-autoscaler-(.*)` does not match
 * `cluster-autoscaler-chart-9.1.0`. Without one, only the project's own name may precede it, unless a chart has that name.
 */
export function createTagReader({ url, slug, tagPattern, chartNames }: Omit<Source, 'kind'>): TagReader {
  const pattern = compileTagPattern(tagPattern)
  const repository = url.split('/').at(-1)?.toLowerCase() ?? ''
  const names = [slug, repository, ...repository.split(/[^a-z0-9]+/)].filter((name) => !chartNames.includes(name))
  const leads = pattern ? [''] : ['', ...names.map((name) => name.replaceAll(/[^a-z0-9]+/g, '-'))]
  return (tag) => {
    if (pattern && (tag.length > 256 || !pattern.test(tag))) return undefined
    const version = parseVersion(tag, pattern)
    return version?.variant === '' && leads.includes(version.lead)
      ? { isPrerelease: version.prerelease.length > 0 }
      : undefined
  }
}
