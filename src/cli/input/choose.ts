import { ReltError } from '../../errors.ts'
import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from '../output/io.ts'
import type { Cli } from '../program/command.ts'

export interface Choice<T> {
  value: T
  name: string
  /** Shown below the list while this choice is highlighted. */
  about?: string
}

/** For an omitted argument: a searchable list, on a terminal only. Throws `usage` otherwise. */
export async function choose<T>(cli: Cli, argument: string, find: (term: string) => Promise<Choice<T>[]>) {
  requireInteractive(cli.io, argument)
  const { search } = await import('@inquirer/prompts')
  const source = async (term: string | undefined) =>
    (await find(term ?? '')).map(({ value, name, about }) => ({
      value,
      name: plain(name),
      ...(about && { description: plain(about) }),
    }))
  return search<T>({ message: `Which ${argument}? (type to filter)`, source }, cli.io.questions)
}

export function requireInteractive(io: Io, argument: string) {
  if (io.isInteractive) return
  throw new ReltError('usage', `missing required argument '${argument}', and there is no terminal for a prompt`, {
    hint: 'Add --help for help.',
  })
}
