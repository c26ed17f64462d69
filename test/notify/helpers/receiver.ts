import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import { onTestFinished } from 'vitest'
import type { SendTools } from '../../../src/notify/delivery.ts'
import { createGuardedPost } from '../../../src/notify/post.ts'
import { Secret } from '../../../src/util/secret.ts'

interface ReceivedPost {
  headers: Record<string, string | string[] | undefined>
  url: string
  body: string
}

/** A receiver of webhooks on this machine; it answers when the whole body is there. */
export async function openReceiver(answer: RequestListener) {
  const requests: ReceivedPost[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests.push({ headers: request.headers, url: request.url!, body })
      answer(request, response)
    })
  })
  onTestFinished(() => server.closeAllConnections())
  return { url: `http://127.0.0.1:${await listen(server, '127.0.0.1')}`, requests }
}

export async function listen(server: Server, host: string): Promise<number> {
  await new Promise<void>((done) => server.listen(0, host, done))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

export const secretFor = (address: string) => new Secret(address, () => '…')

/** Tools that reach this machine. */
export function tools(change: Partial<SendTools> = {}): SendTools {
  return {
    post: createGuardedPost({
      allow: { hosts: ['127.0.0.1'], nets: [] },
      proxies: { http: undefined, https: undefined, none: undefined },
      ca: undefined,
      userAgent: 'relt/test',
    }),
    mail: undefined,
    signingSecrets: [],
    now: () => Math.floor(Date.now() / 1000),
    signal: AbortSignal.timeout(30_000),
    ...change,
  }
}
