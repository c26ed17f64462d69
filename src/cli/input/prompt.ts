import { confirm } from '@inquirer/prompts'
import { ReltError } from '../../errors.ts'
import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from '../output/io.ts'

/** Asks for confirmation on a terminal; without one, requires `--yes`. Throws if the answer is no. */
export async function confirmOrRefuse(io: Io, question: string): Promise<void> {
  if (!io.isInteractive)
    throw new ReltError('usage', 'This needs a confirmation, because it cannot be undone.', {
      hint: 'Add --yes to confirm.',
    })
  if (!(await confirm({ message: plain(question), default: false }, io.questions)))
    throw new ReltError('cancelled', 'Cancelled.')
}
