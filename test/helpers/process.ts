import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { findProgram } from '../../src/util/exec.ts'
import { quoteShell } from '../../src/util/quote-shell.ts'
import { reltFile, spoolerFile, uploaderFile } from './prepared.ts'

export { reltFile, spoolerFile, uploaderFile }

interface Finished {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Started {
  child: ChildProcess
  finished: Promise<Finished>
}

/** All that a process of a test inherits. */
export const minimalEnv = {
  PATH: process.env.PATH ?? '',
  RELT_KEYCHAIN: 'off',
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
}

/** A shell script that becomes this program. Paths on other machines have spaces and apostrophes. */
export const execScript = (...words: string[]): string => `#!/bin/sh\nexec ${words.map(quoteShell).join(' ')} "$@"\n`

/** relt, as a shell script. */
export const reltScript = execScript(process.execPath, reltFile)

/** Starts a program as a container does: with process ids of its own. Undefined where the system does not allow it. */
export function findPidNamespace(): string[] | undefined {
  const program = findProgram('unshare', process.env)
  if (program === undefined) return undefined
  const args = ['--pid', '--fork', '--user', '--map-root-user', '--mount-proc', '--kill-child']
  return spawnSync(program, [...args, 'true']).status === 0 ? [program, ...args] : undefined
}

/**
 * A real process, with nothing of this process's environment but what it needs to start. `within` is a program
 * that starts it, with its arguments.
 */
export function start(file: string, argv: string[], env: Record<string, string>, within: string[] = []): Started {
  const [program = '', ...args] = [...within, process.execPath, file, ...argv]
  const child = spawn(program, args, {
    env: {
      ...minimalEnv,
      RELT_OSV_URL: 'none',
      RELT_KEV_URL: 'none',
      RELT_CHANNELS_URL: 'none',
      NODE_NO_WARNINGS: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const result: Finished = { code: null, signal: null, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    result.stderr += text
  })
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ ...result, code, signal }))
  })
  return { child, finished }
}
