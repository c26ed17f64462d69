import { plain } from '../../render/terminal/terminal.ts'
import type { Cli } from '../program/command.ts'
import type { Io } from './io.ts'
import { show } from './output.ts'

/** Prints a message about a completed action. */
export function say({ io, json }: Cli, message: string) {
  if (!json) io.err(`${io.errColor.green('✓')} ${plain(message)}\n`)
}

/** Prints a warning in every format. The text may come from a server or scanner. */
export function warn(io: Io, text: string) {
  io.err(`${io.errColor.yellow('warning:')} ${plain(text)}\n`)
}

/** For the end of a verb that changes something: users get the message, programs the answer. */
export async function sayDone(cli: Cli, message: string, body: unknown) {
  say(cli, message)
  await show(cli, { body })
}
