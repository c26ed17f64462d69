/** The npm package's code, `dist/main.cjs` with chunks that load when they are needed, its man pages, licenses and SBOM. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { build, transform } from 'esbuild'
import { bundleOptions, packedCatalog } from './bundle-options.ts'
import { writeBundled } from './bundled/write.ts'
import { packCatalog } from './catalog/pack.ts'
import { manPages } from './man-pages.ts'

rmSync('dist', { recursive: true, force: true })
const { metafile } = await build({
  ...bundleOptions,
  metafile: true,
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  // Chunks are in a folder below `dist`.
  plugins: [
    ...bundleOptions.plugins,
    packedCatalog((name) => `readFileSync(new URL('../catalog/' + ${name}, import.meta.url))`),
  ],
  chunkNames: 'chunks/[name]-[hash]',
  outExtension: { '.js': '.cjs' },
})
await Promise.all(Object.keys(metafile.outputs).map(toCommonJs))

await packCatalog('dist/catalog')
mkdirSync('dist/man')
for (const [name, page] of await manPages()) writeFileSync(`dist/man/${name}`, page)
writeBundled('dist', [metafile])

/** esbuild splits ES modules only, and Node takes twice as long to load a hundred of these as a hundred CommonJS modules. */
async function toCommonJs(file: string): Promise<void> {
  const { code } = await transform(readFileSync(file, 'utf8'), {
    ...{ format: 'cjs', platform: 'node', target: 'node24', minify: true },
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
  })
  const url = code.includes('moduleUrl') ? "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" : ''
  writeFileSync(file, `"use strict";${url}${code}`)
}
