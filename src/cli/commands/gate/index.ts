import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as acceptScope from './accept-scope.ts'
import * as audit from './audit.ts'
import * as check from './check.ts'
import * as vex from './vex.ts'

export function createGateCommand(context: Context): Command {
  const command = newNoun('gate', [
    'relt gate check --fail-on "new>=high"',
    'relt gate audit',
    'relt gate accept-scope --reason "KubeBuddy 2.1 renamed SEC003"',
    'relt gate vex > relt.openvex.json',
  ])
  for (const verb of [check, audit, acceptScope, vex]) command.addCommand(verb.createCommand(context))
  return command
}
