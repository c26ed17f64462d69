import type { Cli } from '../program/command.ts'
import { requireInteractive } from './choose.ts'

/** Prompts for a missing argument that has no list of choices. Throws `usage` without a terminal. */
export async function ask(cli: Cli, argument: string): Promise<string> {
  requireInteractive(cli.io, argument)
  const { input } = await import('@inquirer/prompts')
  const message = `${argument.charAt(0).toUpperCase()}${argument.slice(1)}`
  return input({ message, required: true }, cli.io.questions)
}
