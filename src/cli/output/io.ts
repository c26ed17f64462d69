import { obeysOutput, withoutCommands } from '../../ci/workflow-commands.ts'
import type { Context } from '../../context.ts'
import { type Color, createColor } from '../../render/terminal/color.ts'
import { plain, type Terminal } from '../../render/terminal/terminal.ts'
import { foldTo } from './fold.ts'

/** The only place that knows the terminal: width, color, and how output is sanitized. */
export interface Io extends Terminal {
  out: (text: string) => void
  /** Writes messages, hints and progress: never data. */
  err: (text: string) => void
  /** Both ends are terminals: prompts are possible. */
  isInteractive: boolean
  /** Prompts go to standard error, because they are not data. */
  questions: { input: NodeJS.ReadableStream; output: NodeJS.WritableStream }
  /** Rows of the terminal; 0 if unknown. */
  height: number
  /** Colors of messages: standard error may be a terminal when standard output is not, and vice versa. */
  errColor: Color
  /** A line on standard error can be overwritten. */
  errCanRedraw: boolean
}

const widthWithoutTerminal = 120

export function createIo(context: Context, options: { color?: boolean; quiet?: boolean; wide?: boolean } = {}): Io {
  const { env, stdout, stderr } = context
  const isTerminal = isTty(stdout)
  const safe = obeysOutput(env) ? withoutCommands : (text: string) => text
  const columns = 'columns' in stdout ? stdout.columns : undefined
  const colored = wantsColor(env, isTerminal, options.color)
  return {
    out: (text) => stdout.write(safe(text)),
    err: options.quiet ? () => {} : (text) => stderr.write(safe(foldMessage(text, stderr))),
    isTerminal,
    // Opens standard input only for prompts.
    get isInteractive() {
      return isTty(stderr) && isTty(context.stdin)
    },
    get questions() {
      return { input: context.stdin, output: stderr }
    },
    width: options.wide ? Number.POSITIVE_INFINITY : isTerminal ? Math.max(columns || 80, 40) : widthWithoutTerminal,
    height: isTerminal && 'rows' in stdout ? stdout.rows || 0 : 0,
    color: createColor(colored),
    errColor: createColor(wantsColor(env, isTty(stderr), options.color)),
    errCanRedraw: isTty(stderr) && env.TERM !== 'dumb',
  }
}

/** On a terminal, wraps long messages between words, except output that overwrites itself. */
function foldMessage(text: string, stderr: object) {
  const columns = isTty(stderr) && 'columns' in stderr ? (stderr.columns as number | undefined) : undefined
  if (!columns || !text.endsWith('\n') || drawing.test(text)) return text
  return foldTo(text, Math.max(columns, 40))
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the sequences that move the cursor
const drawing = /\r|\u001b\[\d*[A-K]/

/** For data: full cells, exact times, plain text. */
export function exactIo(io: Io): Io {
  return { ...io, isTerminal: false, width: Number.POSITIVE_INFINITY, color: createColor(false) }
}

function isTty(stream: object) {
  return 'isTTY' in stream && stream.isTTY === true
}

/** `--no-color` and `NO_COLOR` override `FORCE_COLOR`, which overrides the type of the stream. */
function wantsColor(env: Context['env'], isTerminal: boolean, wanted = true) {
  if (!wanted || env.NO_COLOR) return false
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0'
  return isTerminal && env.TERM !== 'dumb'
}

/** Like `plain`, for text with several lines. */
export function plainLines(text: string) {
  return text.split(/\r?\n/).map(plain).join('\n')
}
