import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))

export const reltFile = fileOf('../../src/main.ts')
export const uploaderFile = fileOf('./uploader.ts')

export interface Finished {
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

/** A real process on the source, with nothing of this process's environment but what it needs to start. */
export function start(file: string, argv: string[], env: Record<string, string>): Started {
  const child = spawn(process.execPath, [file, ...argv], {
    env: { ...minimalEnv, RELT_OSV_URL: 'none', NODE_NO_WARNINGS: '1', ...env },
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
