import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { complete } from './complete.ts'
import { createLookup } from './live-names.ts'

/** `:PREFIX WORD…` → one value with description per line; `:files` if the shell should complete file names. */
export async function answerCompletion(context: Context, program: Command, [current = ':', ...before]: string[]) {
  const { candidates, files } = await complete(program, [...before, current.slice(1)], createLookup(context))
  const lines = candidates.map(({ value, description }) => `${plain(value)}\t${plain(description ?? '')}`)
  context.stdout.write([...lines, ...(files ? [':files'] : [])].map((line) => `${line}\n`).join(''))
}
