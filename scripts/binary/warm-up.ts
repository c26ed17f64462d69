/** `node warm-up.ts PROGRAM CACHE ASSETS`: runs common commands, and writes the machine code that they needed. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Script } from 'node:vm'

const [program, cache, assetsJson] = process.argv.slice(2) as [string, string, string]
const assets: Record<string, string> = JSON.parse(assetsJson)
const home = mkdtempSync(join(tmpdir(), 'relt-build-'))
const original = createRequire(import.meta.url)

/** Inside the executable the assets come from there; here they are files. */
const sea = {
  isSea: () => true,
  getAsset: (name: string) => readFileSync(assets[name]!, 'utf8'),
  getRawAsset: (name: string) => new Uint8Array(readFileSync(assets[name]!)).buffer,
}
const require = (name: string) => (name === 'node:sea' ? sea : original(name))

const script = new Script(readFileSync(program, 'utf8'), { filename: 'relt.cjs' })

const page = JSON.stringify({ page: 1, per_page: 20, total: 0, total_pages: 0, items: [] })
const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(page))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const search = ['projects', 'search', 'argo', '--json']
const url = `http://127.0.0.1:${port}`
// The program leaves by itself a while after each command.
const { exit } = process
process.exit = () => undefined as never
for (const argv of [
  ['--local', ...search],
  [...search, '--server', url],
  ['--local', 'reports', 'list', '--quiet'],
]) {
  process.argv = [process.argv[0]!, 'relt', ...argv]
  process.env = { ...process.env, RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  script.runInThisContext()({}, {}, require)
  await wait(500)
}
server.close()
server.closeAllConnections()
rmSync(home, { recursive: true })
writeFileSync(cache, script.createCachedData())
exit(0)
