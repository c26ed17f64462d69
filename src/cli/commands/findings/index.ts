import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as list from './list.ts'
import * as paths from './paths.ts'
import * as show from './show.ts'
import * as top from './top.ts'

export function createFindingsCommand(context: Context): Command {
  const command = newNoun('findings', [
    'relt findings list --severity critical',
    'relt findings list --all --group-by check',
    'relt findings show 3f2a91c4d07e',
    'relt findings top',
  ])
  for (const verb of [list, show, top, paths]) command.addCommand(verb.createCommand(context))
  return command
}
