import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as audit from './audit.ts'
import * as check from './check.ts'

export function createGateCommand(context: Context): Command {
  const command = newNoun('gate', ['relt gate check --fail-on "new>=high"', 'relt gate audit'])
  for (const verb of [check, audit]) command.addCommand(verb.createCommand(context))
  return command
}
