import { confirm } from '@inquirer/prompts'
import type { ClusterConfigChange } from '../../../contract/cluster-config.ts'
import type { ReceivedClusterConfig } from '../../../contract/received/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { type Draft, openDraft } from '../../input/draft.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { readDocument, writeDocument } from './document.ts'

type Save = (change: ClusterConfigChange) => Promise<void>

/** Opens the profile in an editor until it can be saved. An invalid text is kept and reopened. */
export async function editDocument(cli: Cli, profile: ReceivedClusterConfig, save: Save): Promise<void> {
  const before = writeDocument(profile)
  const draft = await openDraft(cli.context, 'profile.yaml', before)
  try {
    await editUntilSaved(cli, draft, before, save)
  } catch (error) {
    const { code, message, params } = asReltError(error as Error)
    const hint = `Your text is saved. Try again: relt profiles edit ${profile.config_id} --from ${draft.file}`
    throw new ReltError(code, message, { hint, ...(params && { params }), cause: error })
  }
  await draft.remove()
}

async function editUntilSaved(cli: Cli, draft: Draft, before: string, save: Save): Promise<void> {
  for (;;) {
    const text = withoutProblems(await draft.edit())
    if (text === before) return say(cli, 'No changes')
    try {
      // A removed member must be cleared; without it, the change would not affect it.
      return await save({ notes: '', settings: {}, ...readDocument(text, 'The text') })
    } catch (error) {
      if (!(error instanceof ReltError) || !(await wantsToEditAgain(cli, error))) throw error
      await draft.write(
        problemsFor(error)
          .map((line) => mark + line)
          .join('') + text,
      )
    }
  }
}

function asReltError(error: Error): ReltError {
  if (error instanceof ReltError) return error
  // Ctrl-C at the prompt.
  if (error.name === 'ExitPromptError') return new ReltError('cancelled', 'Cancelled.')
  return new ReltError('internal', error.message)
}

function wantsToEditAgain(cli: Cli, error: ReltError): Promise<boolean> {
  cli.io.err(problemsFor(error).join(''))
  return confirm({ message: 'Edit it again?' }, cli.io.questions)
}

function problemsFor({ message, params = {} }: ReltError): string[] {
  const lines = [message, ...Object.entries(params).map(([name, reason]) => `  ${name}: ${reason}`)]
  return lines.map((line) => `${plain(line)}\n`)
}

/** Prefix of the lines that show errors within the text. */
const mark = '#! '

function withoutProblems(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith(mark))
    .join('\n')
}
