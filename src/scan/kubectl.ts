import { ReltError } from '../errors.ts'
import { findProgram, type ProgramEnd, runProgram } from '../util/exec.ts'
import { type ScanEnv, withoutOurs } from './environment.ts'
import { createMask } from './mask.ts'
import { OutputLines } from './output-lines.ts'

export interface Kubectl {
  /** Absolute path of kubectl. */
  file: string
  env: ScanEnv
  signal?: AbortSignal | undefined
  /** Default: the current context. */
  context?: string | undefined
  /** Of one call. If an overloaded API server asks it to, kubectl waits up to ten times (default: 45 s). */
  timeoutMs?: number | undefined
}

/** A failed request, and the reason: kubectl's last line. */
export interface KubectlFailure {
  why: string
  /** The API server did not answer in time. */
  isLate: boolean
}

const maxTextBytes = 1024 * 1024

export function findKubectl(env: ScanEnv) {
  return findProgram('kubectl', env)
}

/** Throws `usage` without kubectl. `so` completes the message: "kubectl is not on PATH, so …". */
export function requireKubectl(env: ScanEnv, so: string, hint: string) {
  const file = findKubectl(env)
  if (file === undefined) throw new ReltError('usage', `kubectl is not on PATH, so ${so}.`, { hint })
  return file
}

/** Streams the API server's answer to a GET of a path. Throws `cancelled` when aborted, and errors of `onChunk`. */
export function getRaw(kubectl: Kubectl, path: string, onChunk: (chunk: Buffer) => void) {
  return run(kubectl, ['get', '--raw', path], onChunk)
}

/** A short answer as a whole. */
export function getText(kubectl: Kubectl, path: string) {
  return text((onChunk) => getRaw(kubectl, path, onChunk))
}

/**
 * Whether the account may list a kind in all namespaces. Checked first, because a denied list would raise an alarm in
 * monitored clusters.
 */
export async function mayList(kubectl: Kubectl, resource: string) {
  const args = ['auth', 'can-i', 'list', resource, '--all-namespaces']
  const answer = await text((onChunk) => run(kubectl, args, onChunk))
  return 'text' in answer && answer.text.trim() === 'yes'
}

async function text(read: (onChunk: (chunk: Buffer) => void) => Promise<KubectlFailure | undefined>) {
  const chunks: Buffer[] = []
  let length = 0
  const failure = await read((chunk) => {
    length += chunk.length
    if (length > maxTextBytes) throw new ReltError('too_large', 'An answer of the cluster is unexpectedly large.')
    chunks.push(chunk)
  })
  return failure ?? { text: Buffer.concat(chunks).toString('utf8') }
}

/**
 * The timeout is ours: given `--request-timeout`, or any other option of the connection, kubectl ignores the service account of
 * its pod and calls localhost:8080.
 */
async function run(kubectl: Kubectl, command: string[], onChunk: (chunk: Buffer) => void) {
  const { file, env, signal, context, timeoutMs = 45_000 } = kubectl
  const broken = new AbortController()
  const lines = new OutputLines(createMask(env, []))
  const stderr = lines.stream()
  const args = context === undefined ? command : [...command, `--context=${context}`]
  const end = await runProgram(
    { file, args, env: withoutOurs(env) },
    {
      signal: AbortSignal.any([broken.signal, ...(signal ? [signal] : [])]),
      timeoutMs,
      onStdout: (chunk) => {
        if (broken.signal.aborted) return
        try {
          onChunk(chunk)
        } catch (error) {
          broken.abort(error)
        }
      },
      onStderr: stderr.write,
    },
  )
  stderr.end()
  if (signal?.aborted) throw new ReltError('cancelled', 'The request to the cluster was cancelled.')
  if (broken.signal.aborted) throw broken.signal.reason
  if (end.how === 'done') return undefined
  const isLate = end.how === 'timeout'
  return { why: isLate ? `no answer within ${timeoutMs / 1000} seconds` : reasonFor(end, lines.tail.at(-1)), isLate }
}

/** A shell reports a signal that killed its program as 128 plus its number. */
const shellKilled = 128 + 9

function reasonFor({ signal, exitCode, error }: ProgramEnd, said: string | undefined) {
  if (signal === 'SIGKILL' || exitCode === shellKilled)
    return 'kubectl was killed (SIGKILL), as systems do when memory runs out: raise the memory limit'
  if (signal !== undefined) return `kubectl was ended by ${signal}`
  return (
    said ??
    error ??
    (exitCode === undefined ? 'kubectl did not end properly' : `kubectl failed with exit code ${exitCode}`)
  )
}
