import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as create from './create.ts'
import * as list from './list.ts'
import * as revoke from './revoke.ts'
import * as rotate from './rotate.ts'

export function createKeysCommand(context: Context): Command {
  const command = newNoun('keys', ['relt keys create "CI of the shop"', 'relt keys rotate "CI of the shop"'])
  for (const verb of [list, create, revoke, rotate]) command.addCommand(verb.createCommand(context))
  return command
}
