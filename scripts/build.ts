/** The npm package's code, `dist/main.js` with chunks that load when they are needed, its man pages, licenses and SBOM. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'
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
  // CommonJS packages inside an ESM bundle ask for `require`.
  banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
  chunkNames: 'chunks/[name]-[hash]',
})

await packCatalog('dist/catalog')
mkdirSync('dist/man')
for (const [name, page] of await manPages()) writeFileSync(`dist/man/${name}`, page)
writeBundled('dist', [metafile])
