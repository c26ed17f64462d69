// Plain JavaScript for any Node; the licenses that a build contains are those of Node 24. npm puts the Node of the project first on the PATH; without install scripts it has none.
const { existsSync } = require('node:fs')

const [major, minor] = process.versions.node.split('.').map(Number)
if (major !== 24 || minor < 15) {
  const remedy = existsSync('node_modules/node') ? 'npm rebuild --ignore-scripts=false node' : 'npm ci'
  console.error(
    `relt: needs Node 24, from 24.15 on, to build and test; this is ${process.version}. To install its own: ${remedy}`,
  )
  process.exitCode = 1
}
