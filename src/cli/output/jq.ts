import { runInNewContext } from 'node:vm'
import { loadJq } from 'jq-wasm/inline'
import { ReltError } from '../../errors.ts'
import { plain } from '../../render/terminal/terminal.ts'
import { type Io, plainLines } from './io.ts'
import { escapeSteering } from './json.ts'

const timeoutMs = 20_000

/** Prints the results of a jq program, one per line, strings unquoted. Throws `usage` with jq's message. */
export async function runJq(io: Io, body: unknown, program: string): Promise<string> {
  const jq = await loadJq()
  const { stdout, stderr, exitCode } = bounded(() => jq.raw(JSON.stringify(body), program, ['-c', '--']))
  if (exitCode !== 0) throw new ReltError('usage', `jq: ${formatMessage(stderr)}`)
  if (stderr) io.err(`${plainLines(stderr)}\n`)
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((result) => `${renderResult(io, result)}\n`)
    .join('')
}

/** Stops a program that runs too long: the call blocks this thread, so only the engine itself can stop it. */
function bounded<T>(run: () => T): T {
  try {
    return runInNewContext('run()', { run }, { timeout: timeoutMs })
  } catch (cause) {
    const late = (cause as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
    const why = late ? `took longer than ${timeoutMs / 1000} s` : 'ran out of memory'
    throw new ReltError('usage', `jq: The program ${why}.`, { cause })
  }
}

function formatMessage(stderr: string) {
  return plain(stderr.split('\n')[0]!.replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '')) || 'failed'
}

function renderResult(io: Io, result: string) {
  if (!result.startsWith('"')) return io.isTerminal ? escapeSteering(result) : result
  const text = JSON.parse(result) as string
  return io.isTerminal ? plainLines(text) : text
}
