/** The npm package's code: `dist/main.js` and chunks that load when they are needed. */
import { rmSync } from 'node:fs'
import { build } from 'esbuild'
import { bundleOptions } from './bundle-options.ts'

rmSync('dist', { recursive: true, force: true })
await build({
  ...bundleOptions,
  entryPoints: { main: 'src/main.ts' },
  outdir: 'dist',
  splitting: true,
  format: 'esm',
  // CommonJS packages inside an ESM bundle ask for `require`.
  banner: { js: "import{createRequire as __r}from'node:module';const require=__r(import.meta.url);" },
  chunkNames: 'chunks/[name]-[hash]',
})
