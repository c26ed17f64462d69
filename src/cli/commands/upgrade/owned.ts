import { ReltError } from '../../../errors.ts'
import { plainText } from '../../../views/said.ts'
import { isOwnersPart, ownedNote } from '../../../views/upgrade.ts'
import { note } from '../../output/remarks.ts'

interface Owned {
  owners?: string[] | undefined
}

/**
 * The answer with steps and parts of one owner only; the verdict is still the cluster's. Throws `not_found` if no owner is
 * set.
 */
export function stepsOfOwner<T extends { steps: Owned[]; parts?: Owned[] }>(answer: T, owner: string | undefined) {
  if (owner === undefined) return { answer, notes: [] }
  const { steps, parts } = answer
  if (owner !== '-' && [...steps, ...(parts ?? [])].every(({ owners }) => !owners)) {
    throw new ReltError('not_found', 'No owner is set for what a plan is about.', {
      hint: 'Set owners: relt owners set owners.yaml',
    })
  }
  const own = steps.filter((step) => isOwnersPart(step, owner))
  const ownParts = parts && { parts: parts.filter((part) => isOwnersPart(part, owner)) }
  const said = `${plainText(ownedNote(own.length, steps.length, owner))}. The verdict is about all of them.`
  return { answer: { ...answer, steps: own, ...ownParts }, notes: [note(said)] }
}
