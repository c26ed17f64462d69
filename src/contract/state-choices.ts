/** What is known of an artifact beside how far it is behind; the most urgent first. */
export const artifactStates = [
  'compromised',
  'withdrawn',
  'retired',
  'frozen',
  'moved',
  'unsupported',
  'above_known',
  'drifted',
] as const
/** What became of a project. The last two end nothing. */
export const projectFates = ['retired', 'archived', 'superseded', 'maintenance', 'renamed', 'license_changed'] as const
/** Why nobody should take a release; the worst first. */
export const releaseFaults = ['malicious', 'withdrawn', 'broken', 'retracted', 'republished'] as const
/**
 * `frozen`: old tags can be pulled, no new ones come; `closed`: pulls fail; `paid`: new versions need a contract; `open`: it
 * lives on within a place that ended.
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
