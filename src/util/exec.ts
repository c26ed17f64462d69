import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join } from 'node:path'
import { execa } from 'execa'

export interface ProgramCall {
  /** Absolute path: no search, and no shell interprets the arguments. */
  file: string
  args: string[]
  /** The program's whole environment. */
  env: Record<string, string | undefined>
}

export interface Watch {
  /** Ends the program and its child processes. */
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Time to end after a signal, before they are killed. */
  graceMs?: number
  onStdout?: (chunk: Buffer) => void
  onStderr?: (chunk: Buffer) => void
}

/** How a program ended. `error` is set if it could not be started. */
export interface ProgramEnd {
  how: 'done' | 'failed' | 'timeout' | 'cancelled' | 'error'
  exitCode: number | undefined
  signal: string | undefined
  error: string | undefined
}

/** Runs a program to its end, then kills what remains of its process group. Does not throw. */
export async function runProgram({ file, args, env }: ProgramCall, watch: Watch): Promise<ProgramEnd> {
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

/** Environment for other programs, without the store's key. */
export function withoutOurs(env: Record<string, string | undefined>) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('RELT_')))
}

/** Absolute path of a program on `PATH`. Does not search the current folder. */
export function findProgram(name: string, env: Record<string, string | undefined>) {
  const folders = (env.PATH ?? env.Path ?? '').split(delimiter).filter(isAbsolute)
  const isWhole = process.platform !== 'win32' || extname(name) !== ''
  const files = isWhole ? [name] : ['.exe', '.cmd', '.bat'].map((extension) => name + extension)
  return folders.flatMap((folder) => files.map((file) => join(folder, file))).find(isProgram)
}

function isProgram(file: string) {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
