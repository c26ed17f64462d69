import { writeSync } from 'node:fs'
import { version } from './version.ts'

/** The help at 80 columns, inserted by the build; undefined in the source tree. */
declare const RELT_HELP: string
const help = typeof RELT_HELP === 'string' ? RELT_HELP : undefined

const answers = new Map([
  ['--version', `${version}\n`],
  ['-V', `${version}\n`],
  ['--help', help],
  ['-h', help],
])

/**
 * Prints the version or help without loading anything else; returns false for other arguments. Opening the stream would take
 * as long as all the rest.
 */
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

/** A reader that stops early (`relt … | head`) is not a failure. */
export function isBrokenPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EPIPE'
}
