import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { type ApiAnswer, type ApiRequest, answer, freshMemory } from './api-server.ts'
import type { ClusterState } from './cluster-state.ts'

/** Asks the process that made it, and prints what that answers. */
const script = `#!/bin/sh
PATH=/usr/bin:/bin
answer="$FAKE_STATE/kubectl.$$"
mkfifo "$answer" || exit 70
IFS='\t'
pod="\${KUBERNETES_SERVICE_HOST:+\${KUBERNETES_SERVICE_PORT:+$FAKE_TOKEN_FILE}}"
printf '%s\\n' "$$\t$FAKE_CLUSTER\t$FAKE_UNREACHABLE\t$pod\t$*" > "$FAKE_STATE/kubectl.asked"
read -r code stream < "$answer"
[ "$stream" = 1 ] || exec >&2
cat "$answer.text"
exit "$code"
`

interface Call {
  /** Of the API servers of all contexts. */
  cluster: string
  /** Contexts whose API server does not answer. */
  unreachable: string[]
  /** File with the token of the pod's service account; empty outside of a pod. */
  tokenFile: string
  argv: string[]
}

interface Printed {
  code: number
  text: string
}

/** The state of the API server that a pod without a kubeconfig calls; each other file in its folder is a context. */
export const inCluster = 'in-cluster'

/**
 * kubectl as relt calls it, against the double of an API server whose state is in the folder FAKE_CLUSTER: `get --raw PATH`,
 * `auth can-i list RESOURCE --all-namespaces` and `config view`. Its words are those of kubectl 1.33. Without a kubeconfig, it
 * uses the service account of its pod, whose token is in FAKE_TOKEN_FILE, unless an option of the connection is given. Its calls
 * go to the file `kubectl` in the folder `own` (FAKE_STATE), the requests to `requests`. This process answers, as starting Node
 * for each call takes longer than most tests: it must not block while kubectl runs.
 */
export function makeKubectl(file: string, own: string): void {
  writeFileSync(file, script, { mode: 0o755 })
  const asked = join(own, 'kubectl.asked')
  spawnSync('mkfifo', [asked])
  // Open for both, it waits for no writer, and does not end with one.
  const socket = new Socket({ fd: openSync(asked, constants.O_RDWR | constants.O_NONBLOCK), writable: false })
  socket.unref()
  const run = kubectl(own)
  createInterface({ input: socket }).on('line', async (line) => {
    const [pid = '', cluster = '', unreachable = '', tokenFile = '', ...argv] = line.split('\t')
    const call = { cluster, unreachable: unreachable.split(','), tokenFile, argv }
    await print(join(own, `kubectl.${pid}`), await run(call))
  })
}

/** Errors are printed to standard error; `can-i` says no on standard output. */
async function print(pipe: string, { code, text }: Printed): Promise<void> {
  // The test has ended meanwhile.
  if (!existsSync(pipe)) return
  const stream = code === 0 || text === 'no\n' ? 1 : 2
  writeFileSync(`${pipe}.text`, text)
  const fd = await openForWriting(pipe)
  if (fd !== undefined) {
    writeSync(fd, `${code}\t${stream}\n`)
    closeSync(fd)
  }
  rmSync(pipe, { force: true })
}

/** None where kubectl was killed before it read. */
async function openForWriting(pipe: string): Promise<number | undefined> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      return openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch {
      await wait(attempt, undefined, { ref: false })
    }
  }
  return undefined
}

const maxRetries = 10

function kubectl(own: string): (call: Call) => Promise<Printed> {
  const memory = freshMemory()
  const readState = stateReader()
  return async ({ cluster, unreachable, tokenFile, argv }) => {
    appendFileSync(join(own, 'kubectl'), `${argv.join(' ')}\n`)
    const words = argv.filter((word) => !word.startsWith('-') || word === '--raw')
    const context = argv.find((word) => word.startsWith('--context='))?.split('=')[1] ?? 'main'
    const ofPod = existsSync(tokenFile) && !argv.some(isOfConnection) && readState(join(cluster, `${inCluster}.json`))
    const state = readState(join(cluster, `${context}.json`)) ?? ofPod
    if (!state) return noCluster(context)
    if (words[0] === 'config' && words[1] === 'view') return { code: 0, text: `current-context: ${context}\n` }
    if (unreachable.includes(context))
      return failed('Unable to connect to the server: dial tcp 10.0.0.1:443: i/o timeout')

    /** Repeats what is put off, as often as kubectl does. A test waits a hundredth of what is asked for. */
    const send = async (request: ApiRequest): Promise<ApiAnswer> => {
      for (let attempt = 0; ; attempt++) {
        const given = answer(state, memory, request)
        appendFileSync(join(own, 'requests'), `${given.status} ${request.method} ${request.path}\n`)
        // Without --request-timeout, kubectl waits until it is ended.
        if (given.hangs) return new Promise(() => {})
        const seconds = Number(given.headers['retry-after'])
        if (given.status !== 429 || !seconds || attempt === maxRetries) return given
        await wait(seconds * 10)
      }
    }
    if (words[0] === 'get' && words[1] === '--raw') return get(send, words[2]!)
    if (words.slice(0, 3).join(' ') === 'auth can-i list') return canList(send, words[3]!)
    return failed(`unknown command: ${argv.join(' ')}`)
  }
}

/** `--all-namespaces` and `--namespace` are not of the connection, and `--raw` belongs to `get`. */
const isOfConnection = (word: string): boolean => /^--(?!(all-namespaces|namespace|raw)\b)/.test(word)

type Send = (request: ApiRequest) => Promise<ApiAnswer>

async function get(send: Send, path: string): Promise<Printed> {
  const given = await send({ method: 'GET', path })
  if (given.status >= 400) return failed(toError(given))
  return { code: 0, text: typeof given.body === 'string' ? given.body : JSON.stringify(given.body) }
}

async function canList(send: Send, resource: string): Promise<Printed> {
  const [name = '', ...group] = resource.split('.')
  const spec = { resourceAttributes: { verb: 'list', resource: name, group: group.join('.') } }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const given = await send({ method: 'POST', path, body: { spec } })
  if (given.status >= 400) return failed(toError(given))
  const { allowed } = (given.body as { status: { allowed: boolean } }).status
  return allowed ? { code: 0, text: 'yes\n' } : { code: 1, text: 'no\n' }
}

/** Large states are asked hundreds of times, and seldom change. */
function stateReader(): (file: string) => ClusterState | undefined {
  const known = new Map<string, { version: string; state: ClusterState }>()
  return (file) => {
    try {
      const { mtimeNs, ino, size } = statSync(file, { bigint: true })
      const version = [mtimeNs, ino, size].join()
      const last = known.get(file)
      if (last?.version === version) return last.state
      const state = JSON.parse(readFileSync(file, 'utf8')) as ClusterState
      known.set(file, { version, state })
      return state
    } catch {
      return undefined
    }
  }
}

function noCluster(context: string): Printed {
  if (context !== 'main') return failed(`error: context "${context}" does not exist`)
  return failed('The connection to the server localhost:8080 was refused - did you specify the right host or port?')
}

function toError({ status, body }: ApiAnswer): string {
  if (status === 401) return 'error: You must be logged in to the server (Unauthorized)'
  if (status === 404) return 'Error from server (NotFound): the server could not find the requested resource'
  if (status === 503)
    return 'Error from server (ServiceUnavailable): the server is currently unable to handle the request'
  const { reason, message } = body as { reason: string; message: string }
  return `Error from server (${reason}): ${message}`
}

const failed = (line: string): Printed => ({ code: 1, text: `${line}\n` })
