import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { BuildOptions, Plugin } from 'esbuild'
import { programHelp } from './command-tree.ts'

/** What libraries load for features that we do not use: commander's commands as executables, pino's threads. Each costs 2 ms. */
const withoutUnusedModules: Plugin = {
  name: 'without-unused-modules',
  setup(build) {
    build.onResolve({ filter: /^(node:child_process|thread-stream)$/ }, ({ path, importer }) =>
      path === 'thread-stream' || /[\\/]commander[\\/]/.test(importer) ? { path, namespace: 'empty' } : undefined,
    )
    build.onLoad({ filter: /.*/, namespace: 'empty' }, () => ({ contents: 'export default {}' }))
  },
}

/** As code, megabytes of JSON would be parsed twice. `read` is an expression of a packed file. */
export function packedCatalog(read: (name: string) => string): Plugin {
  return {
    name: 'packed-catalog',
    setup({ onLoad }) {
      const imports = `import { readFileSync } from 'node:fs'
        import { zstdDecompressSync } from 'node:zlib'`
      onLoad({ filter: /catalog[\\/]read-data\.ts$/ }, () => ({
        contents: `${imports}
          export function readData(name) {
            return JSON.parse(zstdDecompressSync(${read('name + ".zst"')}).toString('utf8'))
          }`,
      }))
      onLoad({ filter: /catalog[\\/]new-store\.ts$/ }, () => ({
        contents: `${imports}
          export function readNewStore() {
            return zstdDecompressSync(${read('"new-store.zst"')})
          }`,
      }))
    },
  }
}

/** Names the code and the bundled facts that the program is built from. */
function sourcesHash(): string {
  const files = globSync('src/**/*.{ts,json}').sort()
  return hash('sha256', Buffer.concat(files.map((file) => readFileSync(file))), 'hex').slice(0, 16)
}

/** What the npm package and the single executable are bundled with alike. */
export const bundleOptions = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  minify: true,
  keepNames: true,
  // A native addon stays a package of its own.
  external: ['@napi-rs/keyring'],
  // The form for Node is CommonJS with a file for each class, which takes three times as long to load.
  alias: { yaml: resolve('node_modules/yaml/browser/index.js') },
  define: { RELT_HELP: JSON.stringify(await programHelp()), RELT_BUILD: JSON.stringify(sourcesHash()) },
  plugins: [withoutUnusedModules],
  logLevel: 'warning',
} satisfies BuildOptions
