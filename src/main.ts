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
  // Nobody is left to tell; the exit code still says it.
  process.stderr.on('error', () => {})
  const context = createContext(process)
  const { runCommand } = await import('./cli/program/root.ts')
  try {
    return await runCommand(context, argv)
  } finally {
    await context.close()
  }
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
    process.exitCode = exitCodeFor(error)
  },
)
