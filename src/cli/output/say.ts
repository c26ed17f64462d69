import { plain } from '../../render/terminal/terminal.ts'
import type { Cli } from '../program/command.ts'
import type { Io } from './io.ts'
import { show } from './output.ts'

/** Tells people, as a message, what was done. */
export function say({ io, json }: Cli, message: string): void {
  if (!json) io.err(`${io.errColor.green('✓')} ${plain(message)}\n`)
}

/** Tells people, whatever the format of the answer. The text may come from a server or a scanner. */
export function warn(io: Io, text: string): void {
  io.err(`${io.errColor.yellow('warning:')} ${plain(text)}\n`)
}

/** At the end of a verb that changes something: people get the message, programs the answer. */
export async function sayDone(cli: Cli, message: string, body: unknown): Promise<void> {
  say(cli, message)
  await show(cli, { body })
}
