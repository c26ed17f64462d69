import type { ShownFinding } from './finding.ts'

/** Digits of a fingerprint that suffice to distinguish findings. */
const enough = 12

/** Adds to findings with equal texts what differs: their values, or if these are equal too, their fingerprints. */
export function toldApart<F extends ShownFinding>(findings: readonly F[]): F[] {
  const groups = Map.groupBy(findings, ({ check_id, namespace, resource, message, cluster_name, environment }) =>
    JSON.stringify([check_id, namespace, resource, message, cluster_name, environment]),
  )
  const apart = new Map<F, string>()
  for (const alike of groups.values()) {
    if (alike.length === 1) continue
    const values = Map.groupBy(alike, ({ value }) => value ?? null)
    for (const finding of alike) {
      const { value, fingerprint } = finding
      const isTelling = value !== null && value !== undefined && values.get(value)!.length === 1
      const text = isTelling ? value : [value, fingerprint?.slice(0, enough)].filter(Boolean).join(', ')
      if (text !== '') apart.set(finding, text)
    }
  }
  return apart.size === 0 ? [...findings] : findings.map((each) => withText(each, apart.get(each)))
}

const withText = <F extends ShownFinding>(finding: F, apart: string | undefined) =>
  apart === undefined ? finding : { ...finding, apart }
