#!/usr/bin/env node
// Plain JavaScript for any Node: hands over to the right one, or says in one line what is needed.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major, minor] = process.versions.node.split('.').map(Number)
const bundle = fileURLToPath(new URL('../dist/main.cjs', import.meta.url))
const ownPackage = fileURLToPath(new URL('../node_modules/node/', import.meta.url))

if (!existsSync(bundle)) {
  console.error('relt: not built yet; run: npm run build')
  process.exitCode = 1
} else if (major > 24 || (major === 24 && minor >= 15)) {
  const { createRequire, enableCompileCache } = await import('node:module')
  enableCompileCache?.()
  createRequire(bundle)(bundle)
} else if (existsSync(`${ownPackage}bin/node`)) {
  const { runInstead } = await import('./run-instead.js')
  runInstead(`${ownPackage}bin/node`, [fileURLToPath(import.meta.url), ...process.argv.slice(2)])
} else {
  // npm installs the Node of the package by a script, which `ignore-scripts` prevents.
  const remedy = existsSync(ownPackage) ? ' To install its own: npm rebuild --ignore-scripts=false node' : ''
  console.error(`relt: needs Node 24.15 or newer; this is ${process.version}.${remedy}`)
  process.exitCode = 1
}
