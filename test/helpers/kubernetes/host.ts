import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { answer, freshMemory, type Memory } from './api-server.ts'
import type { ClusterState } from './cluster-state.ts'

/** The state of the API server that a pod asks; each other file in its folder is a context. */
export const inCluster = 'in-cluster'

/**
 * Doubles of API servers, one for each state in a folder of clusters. What they are asked goes to the file `requests` in the
 * folder `state` beside it. This process answers: it must not block while another one asks.
 */
export async function answerRequest(
  folder: string,
  context: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const state = readState(join(folder, `${context}.json`))
  const path = request.url!.replace(/^\/[^/]+\/[^/]+(?=\/)/, (prefix) =>
    prefix === prefixOf(folder, context) ? '' : prefix,
  )
  const sent = request.method === 'POST' ? JSON.parse(await text(request)) : undefined
  if (!state) return response.writeHead(502).end()
  if (state.isGone) return request.socket.destroy()
  const memory = memories.get(`${folder} ${context}`) ?? freshMemory()
  memories.set(`${folder} ${context}`, memory)
  const given = answer(state, memory, { method: request.method!, path, accept: request.headers.accept, body: sent })
  appendFileSync(join(dirname(folder), 'state', 'requests'), `${given.status} ${request.method} ${path}\n`)
  if (given.hangs) return
  const isText = typeof given.body === 'string'
  response.writeHead(given.status, { 'content-type': isText ? 'text/plain' : 'application/json', ...given.headers })
  response.end(isText ? given.body : JSON.stringify(given.body))
}

const memories = new Map<string, Memory>()

const prefixOf = (folder: string, context: string): string => `/${Buffer.from(folder).toString('base64url')}/${context}`

let port: number | undefined

/** One server for all folders of this process. */
function open(): number {
  if (port !== undefined) return port
  const server = createServer((request, response) => {
    const [, folder = '', context = ''] = request.url!.split('/')
    void answerRequest(Buffer.from(folder, 'base64url').toString(), context, request, response)
  })
  server.unref()
  // Without a host, the port is known at once.
  server.listen(0)
  port = (server.address() as AddressInfo).port
  return port
}

/** A kubeconfig in `.kube` beside the folder, with a context for each state in it, and `main` as the current one. */
export function writeKubeconfig(folder: string): void {
  const names = readdirSync(folder).flatMap((file) => /^(.*)\.json$/.exec(file)?.[1] ?? [])
  const contexts = names.filter((name) => name !== inCluster)
  const config = {
    'current-context': 'main',
    contexts: contexts.map((name) => ({ name, context: { cluster: name, user: 'me' } })),
    clusters: contexts.map((name) => ({
      name,
      cluster: { server: `http://127.0.0.1:${open()}${prefixOf(folder, name)}` },
    })),
    users: [{ name: 'me', user: { token: 'a-token' } }],
  }
  const own = join(dirname(folder), '.kube')
  mkdirSync(own, { recursive: true })
  mkdirSync(join(dirname(folder), 'state'), { recursive: true })
  if (contexts.length > 0) writeFileSync(join(own, 'config'), JSON.stringify(config))
}

/** Large states are asked hundreds of times, and seldom change. */
const known = new Map<string, { version: string; state: ClusterState }>()

function readState(file: string): ClusterState | undefined {
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
