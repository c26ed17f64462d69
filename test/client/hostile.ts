import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Hostile {
  url: string
  /** All that arrived, in order. */
  requests: IncomingMessage[]
}

/** A real server that does as it is told. */
export async function openHostile(
  answer: (...args: [...Parameters<RequestListener>, count: number]) => void,
): Promise<Hostile> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    requests.push(request)
    request.resume()
    response.on('error', () => {})
    answer(request, response, requests.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

export const json = { 'content-type': 'application/json' }

/** A page of one project, every text of it the same. */
export function projectPage(text = 'argo'): string {
  const item = {
    id: 1,
    name: text,
    description: text,
    category: text,
    cncf_status: 'graduated',
    homepage: text,
    docs_url: text,
    repo_url: text,
    helm_chart_repo: text,
    logo_url: text,
    updated_at: '2026-08-01 00:00:00',
    latest_version: text,
    latest_published_at: '2026-08-01 00:00:00',
  }
  return JSON.stringify({ page: 1, per_page: 20, total: 1, total_pages: 1, items: [item] })
}
