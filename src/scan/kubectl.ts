import { ReltError } from '../errors.ts'
import { findProgram, runProgram } from '../util/exec.ts'
import { type ScanEnv, withoutOurs } from './environment.ts'
import { createMask } from './mask.ts'
import { OutputLines } from './output-lines.ts'

export interface Kubectl {
  /** Absolute path. */
  file: string
  env: ScanEnv
  signal?: AbortSignal | undefined
  /** Default: the current context. */
  context?: string | undefined
}

/** The answer as JSON text, or the reason for its absence. */
export type KubectlAnswer = { bytes: Buffer } | { why: string }

const timeoutMs = 300_000
/** A list of 20,000 pods has 240 MB. */
const maxBytes = 384 * 1024 * 1024

export function findKubectl(env: ScanEnv): string | undefined {
  return findProgram('kubectl', env)
}

/** `kubectl get` over all namespaces. Throws `cancelled` when aborted. */
export function getAll(kubectl: Kubectl, kind: string, filter: string[] = []): Promise<KubectlAnswer> {
  return run(kubectl, ['get', kind, '--all-namespaces', '--output=json', ...filter])
}

/** `kubectl get --raw` of a path of the API server. Throws `cancelled` when aborted. */
export function getRaw(kubectl: Kubectl, path: string): Promise<KubectlAnswer> {
  return run(kubectl, ['get', '--raw', path])
}

async function run({ file, env, signal, context }: Kubectl, command: string[]): Promise<KubectlAnswer> {
  const chunks: Buffer[] = []
  let length = 0
  const tooMuch = new AbortController()
  const lines = new OutputLines(createMask(env, []))
  const stderr = lines.stream()
  const args = context === undefined ? command : [...command, `--context=${context}`]
  const end = await runProgram(
    { file, args, env: withoutOurs(env) },
    {
      signal: AbortSignal.any([tooMuch.signal, ...(signal ? [signal] : [])]),
      timeoutMs,
      onStdout: (chunk) => {
        length += chunk.length
        if (length > maxBytes) tooMuch.abort()
        else chunks.push(chunk)
      },
      onStderr: stderr.write,
    },
  )
  stderr.end()
  if (signal?.aborted) throw new ReltError('cancelled', 'The request to the cluster was cancelled.')
  if (end.how === 'done') return { bytes: Buffer.concat(chunks) }
  if (tooMuch.signal.aborted) return { why: `more than ${maxBytes / 1024 / 1024} MB` }
  if (end.how === 'timeout') return { why: `no answer within ${timeoutMs / 1000} seconds` }
  return { why: lines.tail.at(-1) ?? end.error ?? `kubectl failed with exit code ${end.exitCode}` }
}
