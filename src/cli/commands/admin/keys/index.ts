import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { newCommand } from '../../../program/command.ts'
import * as create from './create.ts'
import * as list from './list.ts'
import * as revoke from './revoke.ts'

export function createKeysCommand(context: Context): Command {
  const command = newCommand('keys', 'Manage API keys of any user', [
    'relt admin keys create ada --name "CI of the shop"',
    'relt admin keys list ada',
  ])
  for (const verb of [create, list, revoke]) command.addCommand(verb.createCommand(context))
  return command
}
