import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as add from './add.ts'
import * as expire from './expire.ts'
import * as exportAll from './export.ts'
import * as list from './list.ts'
import * as show from './show.ts'

export function createExceptionsCommand(context: Context): Command {
  const command = newNoun('exceptions', [
    'relt exceptions add 3f2a91c4d07e --reason "Accepted by security" --until 90d',
    'relt exceptions list --expiring 14d',
  ])
  for (const verb of [add, list, show, expire, exportAll]) command.addCommand(verb.createCommand(context))
  return command
}
