import type { AffectedRange } from '../contract/freshness.ts'

/** `2.0.0 before 2.1.3`, `all versions through 1.4.0`, `3.0.0 and later`, `all versions` */
export function rangeText({ introduced, fixed, last_affected }: AffectedRange) {
  const from = introduced === '0' ? 'all versions' : introduced
  if (fixed !== null) return `${from} before ${fixed}`
  if (last_affected !== null) return `${from} through ${last_affected}`
  return introduced === '0' ? from : `${from} and later`
}
