import { createContext } from './context.ts'
import { exitCodeFor } from './errors.ts'
import { isBrokenPipe, printVersionOrHelp } from './version-and-help.ts'

/** argv (without node and script) → exit code. */
async function main(argv: string[]): Promise<number> {
  if (printVersionOrHelp(argv)) return 0
  if (argv[0] === '--relt-worker') {
    await (await import('./server/worker.ts')).runWorker()
    return 0
  }
  process.stdout.on('error', (error) => process.exit(isBrokenPipe(error) ? 0 : 1))
  // Standard error is closed, so nothing can be printed; the exit code still reports the failure.
  process.stderr.on('error', () => {})
  const context = createContext(process)
  const { runCommand } = await import('./cli/program/root.ts')
  try {
    return await runCommand(context, argv)
  } finally {
    await context.close()
  }
}

/** Exits once all is written, even if an operation cannot be cancelled, such as a keychain waiting for its owner. */
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
    process.exitCode = exitCodeFor(error)
  },
)
