import * as z from 'zod/mini'
import { optionalTrue, texts } from './shape.ts'

/** Commands that would fix a finding, built from its report. relt never runs them. */
export const FixProposal = z.object({
  /** In order, for a POSIX shell. Commands that change something end in a dry run if kubectl supports one. */
  steps: z.array(z.object({ words: z.string(), command: z.string() })),
  /** Placeholders in capitals in the commands, for values that are not in the report. */
  fill_in: z.array(z.object({ placeholder: z.string(), words: z.string() })),
  cautions: texts,
  /** A command ends in `--dry-run=server`, so that it changes nothing yet. */
  dry_run: optionalTrue,
})
export type FixProposal = z.infer<typeof FixProposal>
