// Plain JavaScript for any Node. npm puts the Node of the project first on the PATH; without install scripts it has none.
const { existsSync } = require('node:fs')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 24 || (major === 24 && minor < 15)) {
  const remedy = existsSync('node_modules/node') ? 'npm rebuild --ignore-scripts=false node' : 'npm ci'
  console.error(`relt: needs Node 24.15 or newer; this is ${process.version}. To install its own: ${remedy}`)
  process.exitCode = 1
}
