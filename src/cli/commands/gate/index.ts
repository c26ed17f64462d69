import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../program/command.ts'
import * as audit from './audit.ts'
import * as check from './check.ts'

export function createGateCommand(context: Context): Command {
  const command = newCommand('gate', 'Whether a run passes the rules of a policy, and which exceptions it needs', [
    'relt gate check --fail-on "new>=high"',
    'relt gate audit',
  ])
  for (const verb of [check, audit]) command.addCommand(verb.createCommand(context))
  return command
}
