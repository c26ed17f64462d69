import type { ArtifactState, StateReason } from '../contract/step.ts'
import type { WithStates } from '../lifecycle/has-state.ts'

/** Shown in tables instead of the status; only the most urgent state. */
export const stateWords: Record<ArtifactState, string> = {
  compromised: 'compromised',
  withdrawn: 'withdrawn',
  retired: 'retired',
  frozen: 'frozen',
  moved: 'moved',
  unsupported: 'unsupported',
  above_known: 'above known',
  old_facts: 'newest known',
  drifted: 'drifted',
}

export const stateTitles: Record<ArtifactState, string> = {
  compromised: 'Compromised: planted by attackers',
  withdrawn: 'Withdrawn: a release that nobody should take',
  retired: 'Retired: no new versions, no fixes',
  frozen: 'No new versions come to its repository',
  moved: 'New versions come to another repository',
  unsupported: 'Out of support',
  above_known: 'Newer than all that the catalog knows',
  old_facts: 'The newest known, by old facts',
  drifted: 'Not the version that its chart or git sets',
}

/** Whether it is in a state that needs action, whatever its version. */
export function hasBadState({ states }: WithStates) {
  return (states ?? []).some((state) => !['above_known', 'old_facts', 'drifted'].includes(state))
}

/** What to do about each state, in one or two sentences; support ends are described with the release cycle. */
export function reasonTexts(reasons: readonly StateReason[]) {
  return reasons.flatMap((reason) => {
    const text = reasonText(reason)
    return text === undefined ? [] : [text]
  })
}

function reasonText({ state, what, successors }: StateReason) {
  switch (state) {
    case 'compromised':
      return `Stop it now, and change every secret that it could read: ${what}`
    case 'withdrawn':
      return `Leave it: ${what}`
    case 'retired':
      return `Replace it: ${what}${successorText(successors)}`
    case 'frozen':
    case 'moved':
      return what
    default:
      return undefined
  }
}

function successorText(successors: readonly string[]) {
  if (successors.length === 0) return ''
  return ` ${successors.length === 1 ? 'Its successor is' : 'Successors are'} ${successors.join(', ')}.`
}
