import type { Env } from '../../config/env.ts'

/** Name of the systemd service and the Windows task. */
export const unitName = 'relt-agent'

export interface UnitOptions {
  /** Absolute path of relt, preceded by an interpreter if needed. */
  program: string[]
  /** Absolute path of `agent.yaml`. */
  config: string
  /** A service of the installing user; otherwise of the machine. */
  isUser: boolean
  /** User of a machine service; undefined for one that exists only while the service runs. */
  account?: string | undefined
  /** Absolute path of the kubeconfig. */
  kubeconfig?: string | undefined
  /** Environment of the installing user. Only folders and the search path are used. */
  env: Env
}

/** A file for a service manager. `path` is relative to a folder chosen by the manager or the user. */
export interface UnitFile {
  path: string
  content: string
}

/** The Task Scheduler only reads UTF-16. */
export const encodeUnit = (content: string): Buffer =>
  content.includes('encoding="UTF-16"') ? Buffer.from(`\ufeff${content}`, 'utf16le') : Buffer.from(content)

export const agentArgs = (config: string) => ['agent', 'run', '--config', config]

/** Variables with the locations of settings, store and programs. A service manager starts without them. */
export function placesFor({ env, kubeconfig = env.KUBECONFIG }: UnitOptions) {
  const names = ['PATH', 'RELT_HOME', 'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME']
  const places = names.flatMap((name): [string, string][] => (env[name] ? [[name, env[name]]] : []))
  return kubeconfig ? [...places, ['KUBECONFIG', kubeconfig]] : places
}

export function escapeXml(text: string) {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => names[character]!)
}
