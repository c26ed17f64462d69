import { readFileSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { parse } from 'yaml'
import { ReltError } from '../errors.ts'
import { unreadable } from '../util/file-error.ts'
import { homeFolder } from '../util/home.ts'
import { isObject } from '../util/json.ts'

export type KubeEnv = Record<string, string | undefined>

/** Where a cluster is, and as whom it is asked. Members as a kubeconfig writes them, not checked yet. */
export interface KubeTarget {
  /** Undefined in a pod. */
  context: string | undefined
  /** The namespace of its context. */
  namespace: string
  cluster: Members
  user: Members
}

export type Members = Record<string, unknown>

const maxBytes = 4 * 1024 * 1024

/**
 * Finds a cluster as kubectl does: a context of the kubeconfigs in `KUBECONFIG` or `~/.kube/config`; without one, the service
 * account of the pod. Throws `usage`.
 */
export function findTarget(env: KubeEnv, context: string | undefined): KubeTarget {
  const { contexts, clusters, users, current } = readKubeconfigs(env)
  const name = context ?? current
  if (name === undefined) return contexts.size > 0 ? refuse('No context is chosen.', contexts) : ofPod(env)
  const chosen = contexts.get(name)
  if (!chosen) return refuse(`No kubeconfig has the context ${name}.`, contexts)
  const cluster = clusters.get(text(chosen.cluster) ?? '')
  if (!cluster) return refuse(`The context ${name} names a cluster that no kubeconfig has.`, contexts)
  const user = users.get(text(chosen.user) ?? '') ?? {}
  return { context: name, namespace: text(chosen.namespace) ?? 'default', cluster, user }
}

/** The content of a member `NAME-data` in base64, or of the file that `NAME` names; undefined without both. */
export function readMember(values: Members, name: string): string | undefined {
  const data = text(values[`${name}-data`])
  if (data !== undefined) return Buffer.from(data, 'base64').toString('utf8')
  const file = text(values[name])
  return file === undefined ? undefined : readText(file)
}

/** A file that a kubeconfig names. Throws `usage`. */
export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw unreadable(file, cause, 'A kubeconfig names it.')
  }
}

/** A kubeconfig of this target alone, without references to files. */
export function toKubeconfig({ context = 'pod', namespace, cluster, user }: KubeTarget): string {
  const whole = (values: Members, ...names: string[]) => ({
    ...values,
    ...Object.fromEntries(
      names.flatMap((name) => {
        const content = readMember(values, name)
        const data = content && Buffer.from(content).toString('base64')
        return data === undefined ? [] : Object.entries({ [name]: undefined, [`${name}-data`]: data })
      }),
    ),
  })
  const token = text(user.tokenFile) === undefined ? user.token : readText(text(user.tokenFile)!).trim()
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': context,
    clusters: [{ name: context, cluster: whole(cluster, 'certificate-authority') }],
    users: [
      { name: context, user: { ...whole(user, 'client-certificate', 'client-key'), token, tokenFile: undefined } },
    ],
    contexts: [{ name: context, context: { cluster: context, user: context, namespace } }],
  })
}

export const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)

interface Kubeconfigs {
  contexts: Map<string, Members>
  clusters: Map<string, Members>
  users: Map<string, Members>
  current: string | undefined
}

/** Of several files, the first that has a name wins. A file that is missing is left out. */
function readKubeconfigs(env: KubeEnv): Kubeconfigs {
  const found: Kubeconfigs = { contexts: new Map(), clusters: new Map(), users: new Map(), current: undefined }
  for (const file of kubeconfigFiles(env)) {
    const config = readKubeconfig(file)
    found.current ??= text(config['current-context'])
    for (const one of ['context', 'cluster', 'user'] as const) {
      for (const row of Array.isArray(config[`${one}s`]) ? (config[`${one}s`] as unknown[]) : []) {
        const { name, [one]: values } = isObject(row) ? row : {}
        if (typeof name !== 'string' || found[`${one}s`].has(name)) continue
        found[`${one}s`].set(name, withPaths(isObject(values) ? values : {}, dirname(file)))
      }
    }
  }
  return found
}

export function kubeconfigFiles(env: KubeEnv): string[] {
  if (env.KUBECONFIG) return env.KUBECONFIG.split(delimiter).filter(Boolean)
  try {
    return [join(homeFolder(env), '.kube', 'config')]
  } catch {
    // A user of a container may have no home.
    return []
  }
}

function readKubeconfig(file: string): Members {
  let content: string
  try {
    content = readFileSync(file, 'utf8')
  } catch (cause) {
    if (['ENOENT', 'ENOTDIR'].includes((cause as NodeJS.ErrnoException).code ?? '')) return {}
    throw unreadable(file, cause, 'Choose another kubeconfig with KUBECONFIG.')
  }
  try {
    if (content.length > maxBytes) throw new Error('it is larger than 4 MB')
    // Without the lines around an error, which may hold a secret.
    const config: unknown = parse(content, { prettyErrors: false, logLevel: 'silent' })
    if (config === null) return {}
    if (!isObject(config)) throw new Error('it is no object')
    return config
  } catch (cause) {
    throw new ReltError('usage', `${file} is not a kubeconfig: ${(cause as Error).message}`, { cause })
  }
}

/** Paths in a kubeconfig start from its folder; so does a command with a slash. */
function withPaths(values: Members, folder: string): Members {
  const found = { ...values }
  for (const name of ['certificate-authority', 'client-certificate', 'client-key', 'tokenFile']) {
    const path = text(values[name])
    if (path !== undefined) found[name] = resolve(folder, path)
  }
  const { exec } = values
  const command = isObject(exec) ? text(exec.command) : undefined
  if (isObject(exec) && command && /[/\\]/.test(command) && !isAbsolute(command))
    found.exec = { ...exec, command: resolve(folder, command) }
  return found
}

/** Where the kubelet puts the token of a pod's service account. */
const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

function ofPod(env: KubeEnv): KubeTarget {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port, RELT_SERVICE_ACCOUNT: folder = podFolder } = env
  if (!host || !port) {
    throw new ReltError('usage', 'There is no kubeconfig, and this is no pod with a service account.', {
      hint: 'Name kubeconfigs with KUBECONFIG, or write ~/.kube/config.',
    })
  }
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    context: undefined,
    namespace: readText(join(folder, 'namespace')).trim(),
    cluster: { server, 'certificate-authority': join(folder, 'ca.crt') },
    user: { tokenFile: join(folder, 'token') },
  }
}

function refuse(message: string, contexts: Map<string, Members>): never {
  const names = [...contexts.keys()].slice(0, 10)
  throw new ReltError('usage', message, {
    hint: names.length > 0 ? `Choose one of ${names.join(', ')} with --context.` : 'Name kubeconfigs with KUBECONFIG.',
  })
}
