/**
 * `node warm-up.ts FOLDER ASSETS`: runs common commands with the scripts of the executable in FOLDER, and writes there the
 * machine code that they needed (`main.cache`, …), and which chunks each command read (`read.json`).
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import vm, { type ScriptOptions } from 'node:vm'

const [folder, assetsJson] = process.argv.slice(2) as [string, string]
const assets: Record<string, string> = JSON.parse(assetsJson)
const home = mkdtempSync(join(tmpdir(), 'relt-build-'))
const original = createRequire(import.meta.url)

const read = new Set<string>()

/** Inside the executable the assets come from there; here they are files. */
const sea = {
  isSea: () => true,
  getAsset(name: string) {
    read.add(name)
    return readFileSync(assets[name]!, 'utf8')
  },
  getRawAsset(name: string) {
    const file = assets[name] ?? join(folder, name)
    return new Uint8Array(existsSync(file) ? readFileSync(file) : []).buffer
  },
}

const scripts = new Map<string, vm.Script>()

/** One for all commands, so that it knows the machine code of all of them. */
function Script(source: string, { filename }: ScriptOptions & { filename: string }): vm.Script {
  const script = scripts.get(filename) ?? new vm.Script(source, { filename })
  scripts.set(filename, script)
  return script
}

const modules: Record<string, unknown> = { 'node:sea': sea, 'node:vm': { ...vm, Script } }
const require = (name: string) => modules[name] ?? original(name)

const main = Script(readFileSync(join(folder, 'main.cjs'), 'utf8'), { filename: 'main.cjs' })

const page = JSON.stringify({ page: 1, per_page: 20, total: 0, total_pages: 0, items: [] })
const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(page))
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo

const search = ['projects', 'search', 'argo', '--json']
const url = `http://127.0.0.1:${port}`
// The program leaves by itself a while after each command: then all of its code has run.
const { exit } = process
let left = () => {}
process.exit = () => left() as never
const readByEach: string[][] = []
for (const argv of [
  ['--local', ...search],
  [...search, '--server', url],
  ['--local', 'reports', 'list', '--quiet'],
  ['__complete', ':argo', 'projects', 'show'],
]) {
  process.argv = [process.argv[0]!, 'relt', ...argv]
  process.env = { ...process.env, RELT_HOME: home, RELT_KEYCHAIN: 'off' }
  read.clear()
  const leaving = new Promise<void>((resolve) => {
    left = resolve
  })
  main.runInThisContext()({}, {}, require)
  await leaving
  readByEach.push([...read].filter((name) => name.endsWith('.cjs')))
}
server.close()
server.closeAllConnections()
rmSync(home, { recursive: true })
for (const [name, script] of scripts) {
  writeFileSync(join(folder, name.replace(/\.cjs$/, '.cache')), script.createCachedData())
}
writeFileSync(join(folder, 'read.json'), JSON.stringify(readByEach))
exit(0)
