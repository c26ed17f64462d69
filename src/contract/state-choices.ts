/** States of an artifact other than being outdated, most urgent first. */
export const artifactStates = [
  'compromised',
  'withdrawn',
  'retired',
  'frozen',
  'moved',
  'unsupported',
  'above_known',
  'old_facts',
  'drifted',
] as const
/** Fate of a project. The last two do not end it. */
export const projectFates = ['retired', 'archived', 'superseded', 'maintenance', 'renamed', 'license_changed'] as const
/** Why nobody should install a release; worst first. */
export const releaseFaults = ['malicious', 'withdrawn', 'broken', 'retracted', 'republished'] as const
/**
 * `frozen`: old tags can be pulled, no new ones are added; `closed`: pulls fail; `paid`: new versions need a contract;
 * `open`: a part that stays available in a repository that ended.
 */
export const repositoryStates = ['frozen', 'moved', 'closed', 'paid', 'open'] as const
export const upgradeRuleKinds = [
  'free',
  'minor-by-minor',
  'max-minor-skip',
  'major-by-major',
  'required-stop',
  'manual-step',
  'no-downgrade',
] as const
