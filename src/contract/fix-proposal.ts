import * as z from 'zod/mini'

/** Commands that would fix a finding, made from what its report says. relt never runs them. */
export const FixProposal = z.object({
  /** In their order, for a POSIX shell. Those that change something end in a dry run where kubectl has one. */
  steps: z.array(z.object({ words: z.string(), command: z.string() })),
  /** Words in capitals in the commands, for values that the report does not say. */
  fill_in: z.array(z.object({ placeholder: z.string(), words: z.string() })),
  cautions: z.array(z.string()),
  /** A command ends in `--dry-run=server`, so that it changes nothing yet. */
  dry_run: z.optional(z.literal(true)),
})
export type FixProposal = z.infer<typeof FixProposal>
