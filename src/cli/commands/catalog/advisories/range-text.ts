import type { VersionRange } from '../../../../security/catalog-advisory.ts'

/** `2.0.0 to before 2.1.3`, `before 1.2.3`, `up to 1.4.0`, `from 3.0.0 on`, `all versions` */
export function rangeText({ introduced, fixed, last_affected: last }: VersionRange): string {
  const isFromStart = introduced === '0'
  if (fixed !== null) return isFromStart ? `before ${fixed}` : `${introduced} to before ${fixed}`
  if (last !== null) return isFromStart ? `up to ${last}` : last === introduced ? last : `${introduced} to ${last}`
  return isFromStart ? 'all versions' : `from ${introduced} on`
}
