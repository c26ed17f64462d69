import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { ReltError } from '../errors.ts'
import { runProgram } from '../util/exec.ts'
import { homeFolder } from '../util/home.ts'
import { type ScanEnv, withoutOurs } from './environment.ts'
import { requireKubectl } from './kubectl.ts'
import type { RunnerName } from './runner-name.ts'

interface KubeconfigUse {
  runner: { name: RunnerName }
  env: ScanEnv
  context?: string | undefined
  signal: AbortSignal
}

const maxBytes = 4 * 1024 * 1024

/**
 * The environment that makes a context the current one, since the scanner has no option for it. Writes files into `folder`.
 * Throws `usage` for a container without kubectl, and for an unknown context.
 */
export async function kubeconfigEnv({ runner, env, context, signal }: KubeconfigUse, folder: string): Promise<ScanEnv> {
  if (context === undefined) return env
  const file = join(folder, 'kubeconfig')
  if (runner.name !== 'native' && runner.name !== 'powershell') {
    // A container gets a single file, and may run as another user; the folder around it stays private.
    writeFileSync(file, await flattened(context, { env, signal }), { flag: 'wx' })
    chmodSync(file, 0o644)
    return { ...env, KUBECONFIG: file }
  }
  // The first file that sets the current context wins.
  const content = { apiVersion: 'v1', kind: 'Config', 'current-context': context }
  writeFileSync(file, JSON.stringify(content), { flag: 'wx', mode: 0o600 })
  const known = env.KUBECONFIG || join(homeFolder(env, 'Set HOME or KUBECONFIG.'), '.kube', 'config')
  return { ...env, KUBECONFIG: [file, known].join(delimiter) }
}

/** A kubeconfig with this context only, and the content of files that it refers to. */
async function flattened(context: string, { env, signal }: Pick<KubeconfigUse, 'env' | 'signal'>): Promise<Buffer> {
  const hint = 'Install kubectl, use --runner native, or choose the context with kubectl config use-context.'
  const file = requireKubectl(env, 'no container can use another context', hint)
  const chunks: Buffer[] = []
  const said: Buffer[] = []
  let length = 0
  const args = ['config', 'view', '--raw', '--minify', '--flatten', `--context=${context}`]
  const end = await runProgram(
    { file, args, env: withoutOurs(env) },
    {
      signal,
      timeoutMs: 30_000,
      onStdout: (chunk) => {
        length += chunk.length
        if (length <= maxBytes) chunks.push(chunk)
      },
      onStderr: (chunk) => void said.push(chunk),
    },
  )
  if (signal.aborted) throw new ReltError('cancelled', 'The scan was cancelled.')
  if (end.how === 'done' && length <= maxBytes) return Buffer.concat(chunks)
  throw new ReltError('usage', `kubectl has no context ${context}.`, {
    hint: 'List them: kubectl config get-contexts',
    output: Buffer.concat(said).toString('utf8').slice(0, 1000).split('\n').filter(Boolean),
  })
}
