/** The npm package's code, `dist/main.cjs` with its chunks, its man pages, licenses and SBOM. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { buildProgram } from './build-program.ts'
import { packedCatalog } from './bundle-options.ts'
import { writeBundled } from './bundled/write.ts'
import { packCatalog } from './catalog/pack.ts'
import { manPages } from './man-pages.ts'
import { packChunks } from './pack-chunks.ts'

rmSync('dist', { recursive: true, force: true })
const metafile = await buildProgram({
  outdir: 'dist',
  // Chunks are in a folder below `dist`.
  plugins: [packedCatalog((name) => `readFileSync(new URL('../catalog/' + ${name}, import.meta.url))`)],
})
packChunks('dist')
await packCatalog('dist/catalog')
mkdirSync('dist/man')
for (const [name, page] of await manPages()) writeFileSync(`dist/man/${name}`, page)
writeBundled('dist', [metafile])
