import type { Eol } from '../contract/eol.ts'

/**
 * Formats known facts: `EKS standard support of Kubernetes 1.33 ended on 2026-07-29 (paid extended support until
 * 2027-07-29)`.
 */
export function supportText(name: string, { date, is_eol, is_lts, by, extended_until }: Eol) {
  const what = `${name}${is_lts ? ' (LTS)' : ''}`
  const kind = supportKind({ by, extended_until })
  const extended = extendedText(extended_until)
  if (is_eol) {
    return `${supportTitle({ by, extended_until })} of ${what} ${date === null ? 'has ended' : `ended on ${date}`}${extended}`
  }
  if (kind === '')
    return date === null ? `${what} is supported; no end is announced` : `${what} is supported until ${date}`
  return date === null
    ? `${what} has ${kind} support; no end is announced`
    : `${what} has ${kind} support until ${date}${extended}`
}

/** Kind of support: `upstream`, `EKS standard`; empty if there is only one. */
export function supportKind({ by = '', extended_until }: Pick<Eol, 'by' | 'extended_until'>) {
  return extended_until === undefined ? by : `${by} standard`
}

/** `Support`, `Upstream support`, `EKS standard support`: for the start of a sentence. */
export function supportTitle(eol: Pick<Eol, 'by' | 'extended_until'>) {
  const kind = supportKind(eol)
  return kind === '' ? 'Support' : `${kind === 'upstream' ? 'Upstream' : kind} support`
}

/** Suffix in parentheses. */
export const extendedText = (until: string | undefined) =>
  until === undefined ? '' : ` (paid extended support until ${until})`
