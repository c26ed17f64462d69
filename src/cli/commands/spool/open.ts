import { Spool } from '../../../spool/spool.ts'
import { warn } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'

export function openSpool({ context, io }: Cli) {
  return new Spool(context.env, (text) => warn(io, text))
}
