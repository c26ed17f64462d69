import type { Cli } from '../program/command.ts'
import { requireInteractive } from './choose.ts'

/** Prompts for a missing name of a new thing. Throws `usage` without a terminal. */
export async function askName(cli: Cli) {
  requireInteractive(cli.io, 'name')
  const { input } = await import('@inquirer/prompts')
  return input({ message: 'Name', required: true }, cli.io.questions)
}
