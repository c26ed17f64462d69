#!/usr/bin/env node
// Plain JavaScript for any Node: hands over to the right one, or says in one line what is needed.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const bundle = fileURLToPath(new URL('../dist/main.cjs', import.meta.url))
const ownNode = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

if (!existsSync(bundle)) {
  console.error('relt: not built yet; run: npm run build')
  process.exitCode = 1
} else if (major > 24 || (major === 24 && minor >= 15)) {
  const { createRequire, enableCompileCache } = await import('node:module')
  enableCompileCache?.()
  createRequire(bundle)(bundle)
} else if (existsSync(ownNode)) {
  const { spawnSync } = await import('node:child_process')
  const child = spawnSync(ownNode, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.exitCode = child.status ?? 1
} else {
  console.error(`relt: needs Node 24.15 or newer; this is ${process.version}.`)
  process.exitCode = 1
}
