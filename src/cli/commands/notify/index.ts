import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newNoun } from '../../program/command.ts'
import * as preview from './preview.ts'
import * as rehearse from './rehearse.ts'
import * as run from './run.ts'
import * as setSmtpPassword from './set-smtp-password.ts'

export function createNotifyCommand(context: Context): Command {
  const command = newNoun('notify', [
    'relt notify preview release.security --channel slack',
    'relt notify rehearse --days 30',
    'relt notify run --once',
  ])
  for (const verb of [rehearse, preview, run, setSmtpPassword]) command.addCommand(verb.createCommand(context))
  return command
}
