import { writeSync } from 'node:fs'
import { createContext } from './context.ts'
import { exitCodeOf } from './errors.ts'
import { version } from './version.ts'

/** The help at 80 columns, put in by the build; in the source tree it is not there. */
declare const RELT_HELP: string
const help = typeof RELT_HELP === 'string' ? RELT_HELP : undefined

/** What needs nothing but itself. */
const knownAnswers = new Map([
  ['--version', `${version}\n`],
  ['-V', `${version}\n`],
  ['--help', help],
  ['-h', help],
])

/** argv (without node and script) → exit code. */
async function main(argv: string[]): Promise<number> {
  const known = argv.length === 1 ? knownAnswers.get(argv[0]!) : undefined
  if (known !== undefined) {
    // Opening the stream would take as long as all the rest.
    try {
      writeSync(1, known)
    } catch (error) {
      if (!isBrokenPipe(error)) throw error
    }
    return 0
  }
  // A reader that has seen enough (`relt … | head`) is no failure.
  process.stdout.on('error', (error) => process.exit(isBrokenPipe(error) ? 0 : 1))
  // Nobody is left to tell; the exit code still says it.
  process.stderr.on('error', () => {})
  const context = createContext(process)
  const { runCommand } = await import('./cli/root.ts')
  try {
    return await runCommand(context, argv)
  } finally {
    await context.close()
  }
}

function isBrokenPipe(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EPIPE'
}

/** What cannot be called off, such as a keychain that waits for its owner, does not keep us once all is written. */
function leaveSoon(): void {
  const leave = () => (process.stdout.writableLength > 0 ? leaveSoon() : process.exit())
  setTimeout(leave, 1000).unref()
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code
    leaveSoon()
  },
  (error: unknown) => {
    process.stderr.write(`relt: ${(error as Error).message}\n`)
    process.exitCode = exitCodeOf(error)
  },
)
