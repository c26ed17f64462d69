import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ApiAnswer, type ApiRequest, answer, freshMemory, type Memory } from './api-server.ts'
import type { ClusterState } from './cluster-state.ts'

/**
 * kubectl as relt calls it, against the double of an API server whose state is in the folder FAKE_CLUSTER: `get --raw PATH` and
 * `auth can-i list RESOURCE --all-namespaces`. Its words are those of kubectl 1.33. The requests go to FAKE_STATE/requests.
 */
const { FAKE_CLUSTER: cluster = '', FAKE_STATE: own = '' } = process.env
const maxRetries = 10

const words = process.argv.slice(2).filter((word) => !word.startsWith('-') || word === '--raw')
const optionOf = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.split('=')[1]
const context = optionOf('context') ?? 'main'
/** Contexts whose API server does not answer, separated by commas. */
const unreachable = (process.env.FAKE_UNREACHABLE ?? '').split(',')
const file = join(cluster, `${context}.json`)

async function main(): Promise<void> {
  appendFileSync(join(own, 'kubectl'), `${process.argv.slice(2).join(' ')}\n`)
  if (words[0] === 'config' && words[1] === 'view') return viewConfig()
  if (optionOf('request-timeout') === undefined) fail('the double of kubectl wants --request-timeout on every call')
  if (words[0] === 'get' && words[1] === '--raw') return get(words[2]!)
  if (words.slice(0, 3).join(' ') === 'auth can-i list') return canList(words[3]!)
  fail(`unknown command: ${process.argv.slice(2).join(' ')}`)
}

/** `config view` asks no server. */
function viewConfig(): void {
  readState()
  process.stdout.write(`current-context: ${context}\n`)
}

async function get(path: string): Promise<void> {
  const { status, body } = await send({ method: 'GET', path })
  if (status >= 400) fail(errorOf(status, body))
  process.stdout.write(typeof body === 'string' ? body : JSON.stringify(body))
}

async function canList(resource: string): Promise<void> {
  const [name = '', ...group] = resource.split('.')
  const spec = { resourceAttributes: { verb: 'list', resource: name, group: group.join('.') } }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const { status, body } = await send({ method: 'POST', path, body: { spec } })
  if (status >= 400) fail(errorOf(status, body))
  const { allowed } = (body as { status: { allowed: boolean } }).status
  process.stdout.write(allowed ? 'yes\n' : 'no\n')
  process.exitCode = allowed ? 0 : 1
}

/** Repeats what is put off, as often as kubectl does. A test waits a hundredth of what is asked for. */
async function send(request: ApiRequest): Promise<ApiAnswer> {
  if (unreachable.includes(context)) fail('Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout')
  for (let attempt = 0; ; attempt++) {
    const given = ask(request)
    if (given.hangs) {
      await new Promise((resolve) => setTimeout(resolve, Number(process.env.FAKE_HANG_MS ?? 50)))
      fail('Unable to connect to the server: context deadline exceeded')
    }
    const seconds = Number(given.headers['retry-after'])
    if (given.status !== 429 || !seconds || attempt === maxRetries) return given
    await new Promise((resolve) => setTimeout(resolve, seconds * 10))
  }
}

function ask(request: ApiRequest): ApiAnswer {
  const state = readState()
  const memoryFile = join(own, 'memory.json')
  const memory = read<Memory>(memoryFile) ?? freshMemory()
  const given = answer(state, memory, request)
  writeFileSync(memoryFile, JSON.stringify(memory))
  appendFileSync(join(own, 'requests'), `${given.status} ${request.method} ${request.path}\n`)
  return given
}

function readState(): ClusterState {
  const state = read<ClusterState>(file)
  if (state) return state
  if (context !== 'main') fail(`error: context "${context}" does not exist`)
  fail('The connection to the server localhost:8080 was refused - did you specify the right host or port?')
}

function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}

function errorOf(status: number, body: unknown): string {
  if (status === 401) return 'error: You must be logged in to the server (Unauthorized)'
  if (status === 404) return 'Error from server (NotFound): the server could not find the requested resource'
  if (status === 503)
    return 'Error from server (ServiceUnavailable): the server is currently unable to handle the request'
  const { reason, message } = body as { reason: string; message: string }
  return `Error from server (${reason}): ${message}`
}

function fail(line: string): never {
  process.stderr.write(`${line}\n`)
  process.exit(1)
}

void main()
