import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as both from './both.ts'
import * as pull from './pull.ts'
import * as push from './push.ts'

export function createSyncCommand(context: Context): Command {
  const command = newNoun('sync', [
    'relt sync pull --with https://radar.example --dry-run',
    'relt sync push --with https://radar.example',
    'relt sync both --with https://radar.example --clusters prod-eu,prod-us',
  ])
  for (const verb of [pull, push, both]) command.addCommand(verb.createCommand(context))
  return command
}
