import { isAbsolute } from 'node:path'
import { ReltError } from '../errors.ts'
import { findProgram, runProgram, withoutOurs } from '../util/exec.ts'
import { isObject } from '../util/json.ts'
import { parseTimestamp } from '../util/time.ts'
import { type KubeEnv, type KubeTarget, type Members, readMember, readText, text } from './kubeconfig.ts'

/** What a request shows of who asks. */
export interface KubeIdentity {
  headers: Record<string, string | string[]>
  cert?: string | undefined
  key?: string | undefined
}

interface PluginUse {
  env: KubeEnv
  signal?: AbortSignal | undefined
}

/** The credentials of a target. Tokens in files are read again for each request, as they rotate; a plug-in runs once until they expire. */
export class KubeCredentials {
  readonly #target: KubeTarget
  readonly #use: PluginUse
  #ofPlugin: Promise<PluginAnswer> | undefined
  generation = 0

  constructor(target: KubeTarget, use: PluginUse) {
    this.#target = target
    this.#use = use
  }

  /** Throws `usage` for what is not understood, and `scan_failed` where a plug-in fails. */
  async current(): Promise<KubeIdentity> {
    const { user } = this.#target
    const given = isObject(user.exec) ? await this.#plugin(user.exec) : {}
    const authorization = authorizationFor(user, given.token)
    return {
      headers: { ...(authorization !== undefined && { authorization }), ...impersonation(user) },
      cert: given.cert ?? readMember(user, 'client-certificate'),
      key: given.key ?? readMember(user, 'client-key'),
    }
  }

  /** The API server refused those of this generation: true if others can be had. */
  renew(generation: number): boolean {
    const { exec, tokenFile } = this.#target.user
    if (generation === this.generation) {
      this.generation++
      this.#ofPlugin = undefined
    }
    return isObject(exec) || text(tokenFile) !== undefined
  }

  async #plugin(exec: Members) {
    const known = this.#ofPlugin
    if (known && ((await known).expires ?? Infinity) > Date.now() / 1000 + spareSeconds) return known
    // Another request may have started it meanwhile.
    if (this.#ofPlugin === known) this.#ofPlugin = runPlugin(exec, this.#target.cluster, this.#use)
    return this.#ofPlugin!
  }
}

const spareSeconds = 10

function authorizationFor(user: Members, token: string | undefined): string | undefined {
  const file = text(user.tokenFile)
  const oidc = isObject(user['auth-provider']) ? user['auth-provider'].config : undefined
  const bearer =
    token ?? (file ? readText(file).trim() : text(user.token)) ?? (isObject(oidc) ? text(oidc['id-token']) : undefined)
  if (bearer !== undefined) return `Bearer ${bearer}`
  if (text(user.username) === undefined) return undefined
  return `Basic ${Buffer.from(`${user.username}:${text(user.password) ?? ''}`).toString('base64')}`
}

/** Headers of a user who acts as another. */
function impersonation(user: Members): KubeIdentity['headers'] {
  const [as, uid] = [text(user.as), text(user['as-uid'])]
  const groups = texts(user['as-groups'])
  const extra = Object.entries(isObject(user['as-user-extra']) ? user['as-user-extra'] : {})
  return {
    ...(as !== undefined && { 'impersonate-user': as }),
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups.length > 0 && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`impersonate-extra-${encodeURIComponent(key.toLowerCase())}`, texts(values)]),
    ),
  }
}

const texts = (value: unknown) => (Array.isArray(value) ? value.flatMap((each) => text(each) ?? []) : [])

interface PluginAnswer {
  token?: string | undefined
  cert?: string | undefined
  key?: string | undefined
  /** Unix seconds. */
  expires?: number | undefined
}

const pluginTimeoutMs = 60_000
const maxChunks = 100

async function runPlugin(exec: Members, cluster: Members, { env, signal }: PluginUse): Promise<PluginAnswer> {
  const command = text(exec.command) ?? ''
  const file = isAbsolute(command) ? command : findProgram(command, env)
  const hint = text(exec.installHint) ?? 'The kubeconfig names it to sign in.'
  if (file === undefined) throw new ReltError('usage', `${command || 'A plug-in'} is not on PATH.`, { hint })
  const own = (Array.isArray(exec.env) ? exec.env : []).filter(isObject).map(({ name, value }) => [name, value])
  const apiVersion = text(exec.apiVersion) ?? 'client.authentication.k8s.io/v1'
  const spec = { interactive: false, ...(exec.provideClusterInfo === true && { cluster: toInfo(cluster) }) }
  const asked = JSON.stringify({ kind: 'ExecCredential', apiVersion, spec })
  const chunks: Buffer[] = []
  const end = await runProgram(
    {
      file,
      args: texts(exec.args),
      env: { ...withoutOurs(env), ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: asked },
    },
    {
      signal,
      timeoutMs: pluginTimeoutMs,
      onStdout: (chunk) => void (chunks.length < maxChunks && chunks.push(chunk)),
    },
  )
  if (signal?.aborted) throw new ReltError('cancelled', 'The request to the cluster was cancelled.')
  const answer = end.how === 'done' ? readPlugin(Buffer.concat(chunks).toString('utf8')) : undefined
  if (answer) return answer
  const why = end.how === 'timeout' ? 'did not end within 60 seconds' : 'gave no credentials'
  throw new ReltError('scan_failed', `${command} ${why}.`, { hint: `Run it yourself, or sign in again. ${hint}` })
}

function readPlugin(said: string): PluginAnswer | undefined {
  try {
    const { status } = JSON.parse(said) as Members
    if (!isObject(status)) return undefined
    const expires = text(status.expirationTimestamp)
    return {
      token: text(status.token),
      cert: text(status.clientCertificateData),
      key: text(status.clientKeyData),
      ...(expires !== undefined && { expires: parseTimestamp(expires) }),
    }
  } catch {
    return undefined
  }
}

function toInfo(cluster: Members) {
  const { extensions } = cluster
  const named = Array.isArray(extensions) ? extensions.filter(isObject) : []
  const config = named.find(({ name }) => name === 'client.authentication.k8s.io/exec')?.extension
  const ca = readMember(cluster, 'certificate-authority')
  return {
    ...Object.fromEntries(
      ['server', 'tls-server-name', 'insecure-skip-tls-verify', 'proxy-url'].map((name) => [name, cluster[name]]),
    ),
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(config !== undefined && { config }),
  }
}
