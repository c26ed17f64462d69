import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as preview from './preview.ts'

export function createNotifyCommand(context: Context): Command {
  const command = newNoun('notify', ['relt notify preview release.security --channel slack'])
  for (const verb of [preview]) command.addCommand(verb.createCommand(context))
  return command
}
