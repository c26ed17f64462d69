import { readFileSync, writeFileSync } from 'node:fs'
import { build, type Metafile, type Plugin, transform } from 'esbuild'
import { bundleOptions } from './bundle-options.ts'

interface ProgramOptions {
  outdir: string
  /** Replace the modules that read the catalog. */
  plugins: Plugin[]
  /** Files by the name of what is built from them. */
  entryPoints?: Record<string, string>
  minify?: boolean
  /** Text of `import.meta.url`; by default the address of the file itself. */
  moduleUrl?: string
}

/** Bundles the program: `main.cjs` in the folder, and below it chunks that load when they are needed. */
export async function buildProgram(options: ProgramOptions): Promise<Metafile> {
  const { outdir, plugins, entryPoints = { main: 'src/main.ts' }, minify = true, moduleUrl } = options
  const { metafile } = await build({
    ...bundleOptions,
    ...{ entryPoints, outdir, minify, metafile: true, splitting: true, format: 'esm' },
    plugins: [...bundleOptions.plugins, ...plugins],
    ...(moduleUrl !== undefined && {
      define: { ...bundleOptions.define, 'import.meta.url': JSON.stringify(moduleUrl) },
    }),
    chunkNames: 'chunks/[name]-[hash]',
    outExtension: { '.js': '.cjs' },
  })
  await Promise.all(Object.keys(metafile.outputs).map((file) => toCommonJs(file, minify)))
  return metafile
}

/** esbuild splits ES modules only, and Node takes twice as long to load a hundred of these as a hundred CommonJS modules. */
async function toCommonJs(file: string, minify: boolean): Promise<void> {
  const converted = await transform(readFileSync(file, 'utf8'), {
    ...{ format: 'cjs', platform: 'node', target: 'node24', minifyWhitespace: true },
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'moduleUrl' },
  })
  const { code } = await transform(withDirectExports(converted.code), {
    ...{ format: 'cjs', platform: 'node', target: 'node24', minify },
    // Without what wrapped the exports.
    treeShaking: true,
  })
  const url = code.includes('moduleUrl') ? "const moduleUrl=require('node:url').pathToFileURL(__filename).href;" : ''
  writeFileSync(file, `"use strict";${url}${code}`)
}

/**
 * A name that a chunk exports is one getter. esbuild's are getters of a copy of getters, which are copied once more for each
 * `import()`: making these takes a tenth of a command's time, and every use of a name runs through all of them.
 */
function withDirectExports(code: string): string {
  return code
    .replace(
      /var (\w+)=\{\};__export\(\1,\{(.*?)\}\);module\.exports=__toCommonJS\(\1\);/s,
      (_, _name, exports: string) =>
        `module.exports={${exports.replace(/([\w$]+|"[^"]*"):\(\)=>([\w$.]+)/g, 'get $1(){return $2}')}};`,
    )
    .replace(/__toESM\((require\("\.[^"]*"\))\)/g, '$1')
    .replace(/0&&\(module\.exports=\{[^}]*\}\);\s*$/, '')
}
