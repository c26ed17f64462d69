import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { Plugin } from 'esbuild'
import { emptyStoreFile, newStoreFile, preparedFolder } from './prepared.ts'

/**
 * Before all tests: makes the files that new stores begin as, and the program that tests start, as the builds do, when the
 * source has changed since.
 */
export default async function setup(): Promise<void> {
  const digest = digestOfSource()
  const digestFile = join(preparedFolder, 'source.sha256')
  if (existsSync(digestFile) && readFileSync(digestFile, 'utf8') === digest) return
  // Another run may use the folder meanwhile.
  const partial = `${preparedFolder}.${process.pid}`
  const old = `${partial}.old`
  try {
    await fill(partial)
    writeFileSync(join(partial, basename(digestFile)), digest)
    if (existsSync(preparedFolder)) renameSync(preparedFolder, old)
    renameSync(partial, preparedFolder)
  } finally {
    for (const folder of [partial, old]) rmSync(folder, { recursive: true, force: true })
  }
}

async function fill(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const { makeNewStore } = await import('../../scripts/catalog/new-store.ts')
  writeFileSync(join(folder, basename(newStoreFile)), await makeNewStore())
  writeFileSync(join(folder, basename(emptyStoreFile)), await makeNewStore({ catalog: false }))
  await buildTestProgram(join(folder, 'program'))
  cpSync('examples', join(folder, 'examples'), { recursive: true })
}

function digestOfSource(): string {
  const hash = createHash('sha256').update(process.version)
  const patterns = ['src/**/*.*', 'scripts/**/*.ts', 'test/helpers/**/*.ts', 'examples/*', 'package-lock.json']
  for (const file of globSync(patterns).sort()) hash.update(`${file}\n`).update(readFileSync(file))
  return hash.digest('hex')
}

async function buildTestProgram(outdir: string): Promise<void> {
  const { buildProgram } = await import('../../scripts/build-program.ts')
  const { packChunks } = await import('../../scripts/pack-chunks.ts')
  await buildProgram({
    outdir,
    plugins: [unpackedCatalog],
    entryPoints: {
      main: 'src/main.ts',
      uploader: 'test/helpers/uploader.ts',
      spooler: 'test/helpers/spooler.ts',
      opener: 'test/helpers/opener.ts',
    },
    minify: false,
  })
  packChunks(outdir)
}

/** The builds pack the catalog, which takes longer than reading it. */
const unpackedCatalog: Plugin = {
  name: 'unpacked-catalog',
  setup({ onLoad }) {
    const read = (file: string) => `import { readFileSync } from 'node:fs'
      export const ${file}`
    const folder = JSON.stringify(resolve('src/catalog/data'))
    onLoad({ filter: /catalog[\\/]read-data\.ts$/ }, () => ({
      contents: read(`readData = (name) => JSON.parse(readFileSync(${folder} + '/' + name + '.json', 'utf8'))`),
    }))
    onLoad({ filter: /catalog[\\/]new-store\.ts$/ }, () => ({
      contents: read(`readNewStore = () => readFileSync(${JSON.stringify(newStoreFile)})`),
    }))
  },
}
