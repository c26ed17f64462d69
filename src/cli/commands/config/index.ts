import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as get from './get.ts'
import * as list from './list.ts'
import * as path from './path.ts'
import * as set from './set.ts'

export function createConfigCommand(context: Context): Command {
  const command = newNoun('config', ['relt config list', 'relt config set output json', 'relt config set timeout ""'])
  for (const verb of [get, set, list, path]) command.addCommand(verb.createCommand(context))
  return command
}
