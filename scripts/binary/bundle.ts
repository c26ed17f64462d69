import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname } from 'node:path'
import { build, type Metafile, type Plugin } from 'esbuild'
import { buildProgram } from '../build-program.ts'
import { bundleOptions, packedCatalog } from '../bundle-options.ts'
import { packCatalog } from '../catalog/pack.ts'
import { writeScripts } from './scripts.ts'

/** The program of the executables of all platforms. */
export interface Bundle {
  /** Holds `boot.cjs` and all that is made for one platform. */
  work: string
  /** Name → file. */
  assets: Record<string, string>
  /** The same without code caches, which are of one platform. */
  assetsElsewhere: Record<string, string>
  metafiles: Metafile[]
}

const examples = ['shop-1.json', 'shop-2.json', 'shop-3.json'].map((name) => `examples/${name}`)

/** The catalog is read when it is needed: as part of the code it would be loaded at every start. */
const catalogAsAssets = packedCatalog((name) => `Buffer.from(require('node:sea').getRawAsset(${name}))`)

/** jq is half as large as all the rest together. */
const jqAsAsset: Plugin = {
  name: 'jq-as-asset',
  setup({ onLoad }) {
    onLoad({ filter: /jq-wasm[\\/]dist[\\/]inline\.[cm]js$/ }, ({ path }) => ({
      contents: `export const loadJq = () =>
        require('jq-wasm').loadJq({ wasmBinary: new Uint8Array(require('node:sea').getRawAsset('jq.wasm')) })`,
      resolveDir: dirname(path),
    }))
  },
}

/** Bundles the program into the folder, which it empties first. */
export async function bundleProgram(work: string): Promise<Bundle> {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const catalog = await packCatalog(work)
  const program = await buildProgram({
    outdir: `${work}/program`,
    plugins: [catalogAsAssets, jqAsAsset],
    // Tells that there are no files.
    moduleUrl: '',
  })
  const { metafile: boot } = await build({
    ...bundleOptions,
    ...{ metafile: true, format: 'cjs', entryPoints: ['scripts/binary/boot.ts'], outfile: `${work}/boot.cjs` },
  })
  const chunks = readdirSync(`${work}/program/chunks`).map((name) => `${work}/program/chunks/${name}`)
  const files: Record<string, string> = {
    'jq.wasm': createRequire(import.meta.url).resolve('jq-wasm/jq.wasm'),
    ...Object.fromEntries([...catalog, ...examples, ...chunks].map((file) => [basename(file), file])),
  }
  const scripts = writeScripts(work, files)
  const empty = `${work}/empty`
  writeFileSync(empty, '')
  const withScripts = (cacheOf: (name: string) => string) => ({
    ...Object.fromEntries(scripts.map((name) => [name, name.endsWith('.cache') ? cacheOf(name) : `${work}/${name}`])),
    ...files,
  })
  return {
    work,
    assets: withScripts((name) => `${work}/${name}`),
    assetsElsewhere: withScripts(() => empty),
    metafiles: [program, boot],
  }
}
