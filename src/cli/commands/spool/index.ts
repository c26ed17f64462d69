import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as check from './check.ts'
import * as drop from './drop.ts'
import * as list from './list.ts'
import * as send from './send.ts'

export function createSpoolCommand(context: Context): Command {
  const command = newNoun('spool', ['relt spool list', 'relt spool send'])
  for (const verb of [list, send, check, drop]) command.addCommand(verb.createCommand(context))
  return command
}
