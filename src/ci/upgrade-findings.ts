import type { UpgradePlan } from '../contract/upgrade.ts'
import { reasonViews } from '../views/upgrade.ts'
import { type CiFinding, toFingerprint } from './report.ts'

/** One finding per reason of the verdict. */
export function upgradeFindings({ to, parts, reasons }: Pick<UpgradePlan, 'to' | 'parts' | 'reasons'>): CiFinding[] {
  return reasons.map(({ word, project_slug, says }) => {
    const part = parts.find((one) => one.project_slug === project_slug)
    const subject = project_slug ?? 'cluster'
    const version = part?.current_version ?? null
    return {
      check_id: `upgrade-${word.replace('_', '-')}`,
      check_name: `${reasonViews[word].title} for Kubernetes ${to}`,
      category: 'Upgrade',
      severity: reasonViews[word].severity,
      namespace: null,
      resource: subject,
      message: says,
      value: version,
      fingerprint: toFingerprint([word, subject, version, to, says].join('\n')),
      helpUri: part?.evidence.find(({ source }) => source?.startsWith('https://'))?.source ?? null,
      baseline: undefined,
      suppression: undefined,
    }
  })
}
