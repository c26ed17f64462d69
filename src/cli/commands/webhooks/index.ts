import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as list from './list.ts'
import * as listen from './listen.ts'
import * as rotateSecret from './rotate-secret.ts'
import * as set from './set.ts'
import * as verify from './verify.ts'

export function createWebhooksCommand(context: Context): Command {
  const command = newNoun('webhooks', ['relt webhooks set slack', 'relt webhooks rotate-secret'])
  for (const verb of [list, set, rotateSecret, verify, listen]) command.addCommand(verb.createCommand(context))
  return command
}
