import { writeSync } from 'node:fs'
import { version } from './version.ts'

/** The help at 80 columns, put in by the build; in the source tree it is not there. */
declare const RELT_HELP: string
const help = typeof RELT_HELP === 'string' ? RELT_HELP : undefined

const answers = new Map([
  ['--version', `${version}\n`],
  ['-V', `${version}\n`],
  ['--help', help],
  ['-h', help],
])

/** Answers what needs nothing but itself; false for all else. Opening the stream would take as long as all the rest. */
export function printVersionOrHelp(argv: string[]): boolean {
  const answer = argv.length === 1 ? answers.get(argv[0]!) : undefined
  if (answer === undefined) return false
  try {
    writeSync(1, answer)
  } catch (error) {
    if (!isBrokenPipe(error)) throw error
  }
  return true
}

/** A reader that has seen enough (`relt … | head`) is no failure. */
export function isBrokenPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EPIPE'
}
