import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execScript, minimalEnv } from './process.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url))

export type FakeProgram = 'kubebuddy' | 'pwsh' | 'docker'

export interface FakePrograms {
  env: Record<string, string>
  /** What the scanner was called with, call by call. */
  calls: () => ScannerCall[]
  /** Requests to the API server, with its answers: `403 GET /api/v1/pods?limit=500`. */
  requests: () => string[]
  /** Of the scanner, and of all that it started. */
  pids: () => number[]
  temporary: string
}

interface ScannerCall {
  name: string
  args: string[]
  environment: string[]
  /** What names the current context, and the paths of all files. */
  kubeconfig?: { text: string; mode: string; paths: string }
  config?: { text: string; mode: string }
  folder: { mode: string; above: string }
}

/** A machine with these programs on its PATH and nothing else, and a folder of its own for temporary files. */
export function makePrograms(home: string, programs: FakeProgram[], env: Record<string, string> = {}): FakePrograms {
  const [bin, state, temporary] = ['bin', 'state', 'tmp'].map((name) => join(home, name)) as [string, string, string]
  for (const folder of [bin, state, temporary]) mkdirSync(folder, { recursive: true })
  for (const name of programs) {
    const file = join(bin, name)
    const cache = `NODE_COMPILE_CACHE=${minimalEnv.NODE_COMPILE_CACHE}`
    const script = execScript('/usr/bin/env', cache, process.execPath, fixture('scanner.ts'), name)
    writeFileSync(file, script, { mode: 0o755 })
  }
  const lines = (file: string) => readOrEmpty(join(state, file)).split('\n').filter(Boolean)
  return {
    env: { HOME: home, PATH: bin, TMPDIR: temporary, FAKE_STATE: state, ...env },
    calls: () => lines('calls.jsonl').map((line) => JSON.parse(line)),
    requests: () => lines('requests'),
    pids: () => lines('pids').map(Number),
    temporary,
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch {
    return false
  }
}

/** Ended, and waiting for whoever adopted it to take notice. */
function isZombie(pid: number): boolean {
  return /\) Z /.test(readOrEmpty(`/proc/${pid}/stat`))
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
