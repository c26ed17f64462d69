import { ReltError } from '../../errors.ts'
import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from '../output/io.ts'

export const yesOption = { '-y, --yes': 'skip the confirmation prompt' } as const

/** Asks on a terminal, unless `--yes` was given; without a terminal, requires it. Throws if the answer is no. */
export async function confirm({ io }: { io: Io }, { yes }: { yes?: boolean | undefined }, question: string) {
  if (yes) return
  if (!io.isInteractive)
    throw new ReltError('usage', 'This needs a confirmation, because it cannot be undone.', {
      hint: 'Add --yes to confirm.',
    })
  const { confirm } = await import('@inquirer/prompts')
  if (!(await confirm({ message: plain(question), default: false }, io.questions)))
    throw new ReltError('cancelled', 'Cancelled.')
}
