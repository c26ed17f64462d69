import { Spool } from '../../../spool/spool.ts'
import { plain } from '../../output/io.ts'
import type { Cli } from '../../program/command.ts'

/** Warnings go to people, whatever the form of the answer. */
export function openSpool(cli: Cli): Spool {
  return new Spool(cli.context.env, (text) => warn(cli, text))
}

export function warn({ io }: Cli, text: string): void {
  io.err(`${io.errColor.yellow('warning:')} ${plain(text)}\n`)
}
