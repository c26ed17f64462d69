/** The single executable `dist/relt`: Node itself with relt, its keychain addon and its examples inside. */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { inject } from 'postject'
import { bundleOptions } from './bundle-options.ts'

const work = 'dist/sea'
const catalog = ['src/catalog/data/projects.json', 'src/catalog/data/releases.json']
const examples = ['shop-1.json', 'shop-2.json', 'shop-3.json'].map((name) => `examples/${name}`)

/** The catalog is read when it is needed: as part of the code it would be loaded at every start. */
const catalogAsAssets: Plugin = {
  name: 'catalog-as-assets',
  setup({ onLoad }) {
    onLoad({ filter: /catalog[\\/]data[\\/].*\.json$/ }, ({ path }) => ({
      contents: `module.exports = JSON.parse(require('node:sea').getAsset('${basename(path)}', 'utf8'))`,
    }))
  },
}

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

mkdirSync(work, { recursive: true })

await build({
  ...bundleOptions,
  entryPoints: ['src/main.ts'],
  outfile: `${work}/main.cjs`,
  format: 'cjs',
  define: { ...bundleOptions.define, 'import.meta.url': '""' },
  plugins: [...bundleOptions.plugins, catalogAsAssets, jqAsAsset],
})

writeFileSync(
  `${work}/config.json`,
  JSON.stringify({
    main: `${work}/main.cjs`,
    output: `${work}/relt.blob`,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    useSnapshot: false,
    assets: {
      'keyring.node': keyringAddon(),
      'jq.wasm': createRequire(import.meta.url).resolve('jq-wasm/jq.wasm'),
      ...Object.fromEntries([...catalog, ...examples].map((file) => [basename(file), file])),
    },
  }),
)
execFileSync(process.execPath, ['--experimental-sea-config', `${work}/config.json`], { stdio: 'inherit' })

const target = `dist/relt${process.platform === 'win32' ? '.exe' : ''}`
copyFileSync(process.execPath, target)
chmodSync(target, 0o755)
await inject(target, 'NODE_SEA_BLOB', readFileSync(`${work}/relt.blob`), {
  sentinelFuse: 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2',
  ...(process.platform === 'darwin' && { machoSegmentName: 'NODE_SEA' }),
})

/** The prebuilt addon for this platform, a package of its own beside the keyring's. */
function keyringAddon(): string {
  const require = createRequire(import.meta.url)
  const scope = dirname(dirname(require.resolve('@napi-rs/keyring')))
  for (const name of readdirSync(scope).filter((entry) => entry.startsWith('keyring-'))) {
    const addon = readdirSync(join(scope, name)).find((file) => file.endsWith('.node'))
    if (addon) return join(scope, name, addon)
  }
  throw new Error('the prebuilt addon of @napi-rs/keyring is not installed')
}
