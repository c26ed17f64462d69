import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { findTarget, kubeconfigFiles, toKubeconfig } from '../kube/kubeconfig.ts'
import type { ScanEnv } from './environment.ts'
import type { RunnerName } from './runner-name.ts'

interface KubeconfigUse {
  runner: { name: RunnerName }
  env: ScanEnv
  context?: string | undefined
}

/**
 * The environment that makes a context the current one, since the scanner has no option for it. Writes files into `folder`.
 * Throws `usage` for an unknown context in a container.
 */
export function kubeconfigEnv({ runner, env, context }: KubeconfigUse, folder: string): ScanEnv {
  if (context === undefined) return env
  const file = join(folder, 'kubeconfig')
  if (runner.name !== 'native' && runner.name !== 'powershell') {
    // A container gets a single file, and may run as another user; the folder around it stays private.
    writeFileSync(file, toKubeconfig(findTarget(env, context)), { flag: 'wx' })
    chmodSync(file, 0o644)
    return { ...env, KUBECONFIG: file }
  }
  // The first file that sets the current context wins.
  const content = { apiVersion: 'v1', kind: 'Config', 'current-context': context }
  writeFileSync(file, JSON.stringify(content), { flag: 'wx', mode: 0o600 })
  return { ...env, KUBECONFIG: [file, ...kubeconfigFiles(env)].join(delimiter) }
}
