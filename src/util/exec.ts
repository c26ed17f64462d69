import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import { execa } from 'execa'

export interface ProgramCall {
  /** Absolute path: nothing is looked up, and no shell reads the arguments. */
  file: string
  args: string[]
  /** All that the program sees of the environment. */
  env: Record<string, string | undefined>
}

export interface Watch {
  /** Ends the program with all that it started. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** How long the asked-to-end may take before they are killed. */
  graceMs?: number
  onStdout?: (chunk: Buffer) => void
  onStderr?: (chunk: Buffer) => void
}

/** How a program ended. `error` when it could not be started. */
export interface ProgramEnd {
  how: 'done' | 'failed' | 'timeout' | 'cancelled' | 'error'
  exitCode: number | undefined
  signal: string | undefined
  error: string | undefined
}

/** Runs a program to its end; nothing of its process group is left behind, however it ends. Does not throw. */
export async function runProgram({ file, args, env }: ProgramCall, watch: Watch = {}): Promise<ProgramEnd> {
  const { signal, timeoutMs = 0, graceMs = 5000, onStdout, onStderr } = watch
  const child = execa(file, args, {
    env,
    extendEnv: false,
    stdin: 'ignore',
    stdout: onStdout ? 'pipe' : 'ignore',
    stderr: onStderr ? 'pipe' : 'ignore',
    buffer: false,
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: graceMs,
    timeout: timeoutMs,
    ...(signal && { cancelSignal: signal }),
  })
  if (onStdout) child.stdout?.on('data', onStdout)
  if (onStderr) child.stderr?.on('data', onStderr)
  const result = await child
  // Background processes that closed their output would survive otherwise.
  child.kill('SIGKILL')
  const { timedOut, isCanceled, exitCode } = result
  const how = timedOut ? 'timeout' : isCanceled ? 'cancelled' : !result.failed ? 'done' : 'failed'
  const started = exitCode !== undefined || result.isTerminated || how !== 'failed'
  return {
    how: started ? how : 'error',
    exitCode,
    signal: result.signal,
    error: started ? undefined : (result.originalMessage ?? 'it could not be started'),
  }
}

/** Absolute path of a program on `PATH`. The current folder is not searched. */
export function findProgram(name: string, env: Record<string, string | undefined>): string | undefined {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute)
  const file = process.platform === 'win32' ? `${name}.exe` : name
  return folders.map((folder) => join(folder, file)).find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
