import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Http } from '../../src/collectors/http.ts'
import { remember } from '../../src/util/remember.ts'
import { readZip } from './zip.ts'

const ecosystems = ['Bitnami', 'Go']
const types = ['application/zip', 'application/x-zip-compressed', 'application/octet-stream']
const maxBytes = 128 * 1024 * 1024
/** An interrupted build continues with the exports that it began with. */
const keptMs = 12 * 3_600_000

/** OSV's exports of all advisories, below `url`. They are stored in the folder. Throws if an export cannot be fetched. */
export function fetchExports(folder: string, url: string, http: Http) {
  return Promise.all(
    ecosystems.map(async (ecosystem) => {
      const file = join(folder, `${ecosystem}.zip`)
      if (existsSync(file) && Date.now() - statSync(file).mtimeMs < keptMs) return readFileSync(file)
      const answer = await http.ask({ url: `${url}/${ecosystem}/all.zip`, types, maxBytes })
      if (answer.kind !== 'ok') throw new Error('reason' in answer ? answer.reason : 'it asks to wait')
      writeFileSync(file, answer.body)
      return answer.body
    }),
  )
}

/**
 * Answers queries of packages on this machine as OSV does, from its exports, so that one collector reads both. Throws if an
 * export is damaged.
 */
export async function serveExports(zips: Buffer[]) {
  const records = indexRecords(zips)
  const server = createServer(async (request, response) => {
    const key = request.url === '/v1/query' ? await readKey(request) : undefined
    if (key === undefined) return void response.writeHead(404).end()
    const body = `{"vulns":[${(records.get(key) ?? []).join(',')}]}`
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function indexRecords(zips: Buffer[]) {
  const records = new Map<string, string[]>()
  for (const content of zips.flatMap((zip) => [...readZip(zip)])) {
    const text = content.toString('utf8')
    const { affected = [] } = JSON.parse(text) as { affected?: { package?: Named }[] }
    for (const key of new Set(affected.map((one) => toKey(one.package)))) remember(records, key, () => []).push(text)
  }
  return records
}

async function readKey(request: IncomingMessage) {
  const chunks = await request.toArray()
  return toKey((JSON.parse(Buffer.concat(chunks).toString('utf8')) as { package?: Named }).package)
}

type Named = { ecosystem: string; name: string } | undefined
const toKey = (named: Named) => `${named?.ecosystem} ${named?.name}`
