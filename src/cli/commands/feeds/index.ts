import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as create from './create.ts'
import * as list from './list.ts'
import * as revoke from './revoke.ts'

export function createFeedsCommand(context: Context): Command {
  const command = newNoun('feeds', ['relt feeds create releases', 'relt feeds create changes --cluster prod-eu'])
  for (const verb of [list, create, revoke]) command.addCommand(verb.createCommand(context))
  return command
}
