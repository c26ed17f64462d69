import type { FixProposal } from '../contract/fix-proposal.ts'
import { named, type Said, safe, say } from './said.ts'

interface ProposalView {
  title: string
  about: Said
  steps: { words: Said; command: Said }[]
  /** Placeholders to fill in, and cautions. */
  notes: Said[]
}

/** A proposal, as shown in every medium. The commands contain names from the cluster. */
export function proposalView({ steps, fill_in, cautions, dry_run }: FixProposal): ProposalView {
  return {
    title: 'Proposed fix',
    about: say`relt runs none of these commands.${
      dry_run === true &&
      safe(' With --dry-run=server, the cluster checks a change and does not make it: leave it out to apply.')
    } Where Helm or GitOps manages the object, change its source instead.`,
    steps: steps.map(({ words, command }) => ({
      words: [named('resource', `${words}:`)],
      command: [named('resource', command, { as: 'command' })],
    })),
    notes: [
      ...fill_in.map(({ placeholder, words }) => say`Fill in ${safe(placeholder, 'strong')}: ${safe(words)}`),
      ...cautions.map((words) => [safe(words)]),
    ],
  }
}
