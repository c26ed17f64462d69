import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as remove from './delete.ts'
import * as list from './list.ts'
import * as set from './set.ts'

export function createAliasCommand(context: Context): Command {
  const command = newNoun('alias', ["relt alias set fresh 'reports freshness --explain'", 'relt alias list'])
  for (const verb of [set, list, remove]) command.addCommand(verb.createCommand(context))
  return command
}
