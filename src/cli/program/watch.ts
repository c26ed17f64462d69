import { setTimeout as wait } from 'node:timers/promises'
import { ReltError } from '../../errors.ts'
import { plain } from '../../render/terminal/terminal.ts'
import { wholeNumber } from '../output/page.ts'
import type { Cli } from './command.ts'
import type { OptionsOf } from './options.ts'

const defaultSeconds = 30
const passing = new Set(['unreachable', 'busy', 'rate_limited'])

export const watchOption = {
  '--watch [seconds]': {
    help: `repeat every ${defaultSeconds} seconds, or this often, until interrupted`,
    parse: wholeNumber(86_400),
  },
} as const

export type RepeatOptions = OptionsOf<typeof watchOption>

/**
 * Runs a verb once, or with `--watch` repeatedly until SIGINT. A terminal shows only the last answer; otherwise an answer is
 * printed again only if it changed. An unreachable server does not stop it.
 */
export async function watching(cli: Cli, { watch }: RepeatOptions, work: (cli: Cli) => Promise<void>): Promise<void> {
  if (watch === undefined) return work(cli)
  const seconds = watch === true ? defaultSeconds : watch
  const interruption = new AbortController()
  const stop = () => interruption.abort()
  process.once('SIGINT', stop)
  try {
    let last: string | undefined
    while (!interruption.signal.aborted) {
      const text = await capture(cli, work)
      if (cli.io.isTerminal) cli.io.out(`\u001b[H\u001b[2J${text}${footer(cli, seconds)}`)
      else if (text !== last) cli.io.out(text)
      last = text
      await wait(seconds * 1000, undefined, { signal: interruption.signal }).catch(() => {})
    }
  } finally {
    process.off('SIGINT', stop)
  }
}

/** Captures the output of a verb. On a terminal it includes messages, which the next refresh would erase. */
async function capture(cli: Cli, work: (cli: Cli) => Promise<void>): Promise<string> {
  let text = ''
  const append = (more: string) => {
    text += more
  }
  const { io } = cli
  const captured = Object.create(io, {
    out: { value: append },
    err: { value: io.isTerminal ? append : io.err },
    errCanRedraw: { value: false },
  }) as Cli['io']
  try {
    await work({ ...cli, io: captured, pager: false })
  } catch (error) {
    if (!(error instanceof ReltError) || !passing.has(error.code)) throw error
    append(`${io.errColor.red('error:')} ${plain(error.message)}\n`)
  }
  return text
}

function footer({ io, context }: Cli, seconds: number): string {
  const time = new Date(context.now() * 1000).toISOString().slice(11, 19)
  return io.color.dim(`\nLast look at ${time} UTC, every ${seconds} s. Ctrl-C ends.\n`)
}
