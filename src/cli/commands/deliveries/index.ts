import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as drop from './drop.ts'
import * as list from './list.ts'
import * as replay from './replay.ts'
import * as retry from './retry.ts'
import * as show from './show.ts'

export function createDeliveriesCommand(context: Context): Command {
  const command = newNoun('deliveries', ['relt deliveries list --state dead', 'relt deliveries replay --since 2d'])
  for (const verb of [list, show, retry, drop, replay]) command.addCommand(verb.createCommand(context))
  return command
}
