import { plain } from '../../render/terminal/terminal.ts'
import type { Io } from './io.ts'
import { frames } from './progress.ts'

const shownOnTerminal = 5
/** Without a terminal every line stays in the log, so only this many are printed. */
const shownElsewhere = 500

export interface LiveOutput {
  line: (line: string) => void
  end: () => void
}

/**
 * On a terminal, shows a progress line above the last lines of a program, and removes it at the end. Otherwise, prints the
 * program's first lines.
 */
export function showLive(io: Io, title: string): LiveOutput {
  return io.errCanRedraw ? onTerminal(io, title) : asLog(io, title)
}

function onTerminal(io: Io, title: string): LiveOutput {
  const last: string[] = []
  const started = Date.now()
  let frame = 0
  let height = 0
  const clear = () => (height > 0 ? `\u001b[${height}A\r\u001b[J` : '')
  const draw = () => {
    const seconds = Math.floor((Date.now() - started) / 1000)
    const head = `${io.errColor.cyan(frames.charAt(frame++ % frames.length))} ${fit(`${title}, ${seconds} s`, io.width)}`
    const below = last.map((line) => io.errColor.dim(`  ${fit(line, io.width)}`))
    io.err(`${clear()}${[head, ...below].join('\n')}\n`)
    height = below.length + 1
  }
  draw()
  const timer = setInterval(draw, 100)
  return {
    line: (line) => {
      last.push(plain(line))
      if (last.length > shownOnTerminal) last.shift()
    },
    end: () => {
      clearInterval(timer)
      io.err(clear())
    },
  }
}

function asLog(io: Io, title: string): LiveOutput {
  let count = 0
  io.err(`${title}\n`)
  return {
    line: (line) => {
      count++
      if (count <= shownElsewhere) io.err(`  ${plain(line)}\n`)
      else if (count === shownElsewhere + 1) io.err('  … further output is not shown\n')
    },
    end: () => {},
  }
}

/** Wide characters take two columns: half the width always fits, so longer lines are cut. */
function fit(line: string, width: number) {
  const isNarrow = /^[\u0020-\u04ff\u2010-\u2027]*$/.test(line)
  return line.slice(0, (isNarrow ? width : Math.floor(width / 2)) - 4)
}
