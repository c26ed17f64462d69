import { hash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { type Asked, type LocalServer, openLocalServer } from '../local-server.ts'

export interface HelmRepository extends LocalServer {
  /** What stands in `/charts/index.yaml`. */
  index: string
  type: string
  /** `Basic …` that is asked for, if any. */
  authorization?: string
  /** Answers in place of the server; false leaves it to that. */
  fault: (asked: Asked, response: ServerResponse) => boolean
}

/** Answers as a web server does that has a file `index.yaml`. */
export async function openHelmRepository(index: string): Promise<HelmRepository> {
  const repository = { index, type: 'text/yaml', fault: () => false } as unknown as HelmRepository
  const server = await openLocalServer((asked, response) => {
    if (repository.fault(asked, response)) return
    const { authorization } = repository
    if (authorization && asked.headers.authorization !== authorization) return void response.writeHead(401).end()
    if (asked.path !== '/charts/index.yaml') return void response.writeHead(404).end()
    const etag = `"${hash('sha256', repository.index)}"`
    if (asked.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': repository.type, etag }).end(repository.index)
  })
  return Object.assign(repository, server)
}
