import type { Cli } from '../program/command.ts'
import { requireInteractive } from './choose.ts'

/** For an argument that was left out and cannot be chosen from what there is. Throws `usage` where nobody can be asked. */
export async function ask(cli: Cli, argument: string): Promise<string> {
  requireInteractive(cli.io, argument)
  const { input } = await import('@inquirer/prompts')
  const message = `${argument.charAt(0).toUpperCase()}${argument.slice(1)}`
  return input({ message, required: true }, cli.io.questions)
}
