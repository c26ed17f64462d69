import type { FixProposal } from '../../contract/fix-proposal.ts'
import type { Finding, ReportFormat } from '../../contract/scan-finding.ts'
import type { OwnerLink } from '../artifact.ts'
import { containerFixes } from './containers.ts'
import { FixDraft, type Fixes } from './draft.ts'
import { namespaceFixes } from './namespaces.ts'
import { objectFixes } from './objects.ts'
import { placeFor } from './place.ts'
import { troubleFixes } from './trouble.ts'
import { workloadFixes } from './workloads.ts'

/** Fixes for checks of KubeBuddy, by check id. */
export const fixes: Fixes = {
  ...containerFixes,
  ...workloadFixes,
  ...namespaceFixes,
  ...objectFixes,
  ...troubleFixes,
}

type Proposable = Pick<Finding, 'check_id' | 'namespace' | 'resource' | 'message' | 'value'> & { format: ReportFormat }

/**
 * The commands that would fix a finding, for the object that it names. relt does not run them. `owners` come from the run's
 * inventory. Undefined if the check has no proposal.
 */
export function proposeFix(finding: Proposable, owners: OwnerLink[] = []): FixProposal | undefined {
  const fix = finding.format === 'kubebuddy' && Object.hasOwn(fixes, finding.check_id) && fixes[finding.check_id]
  if (!fix) return undefined
  const draft = new FixDraft(finding, placeFor(finding, owners))
  fix(draft)
  return draft.proposal
}
