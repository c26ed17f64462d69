/** The scripts of the executable: chunks that common commands load, in groups with V8's code cache. */
import { isAscii } from 'node:buffer'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** Writes the scripts and their code caches into the folder `work`, and returns their names. `assets` has all chunks. */
export function writeScripts(work: string, assets: Record<string, string>): string[] {
  // Which chunks the common commands load is found by running them.
  writeGroups(work, assets, {})
  writeGroups(work, assets, groupChunks(warmUp(work, assets)))
  warmUp(work, assets)
  return readdirSync(work).filter((name) => /\.(cjs|cache)$/.test(name) && name !== 'boot.cjs')
}

/**
 * Runs common commands, writes the machine code that they needed, and returns the names of the chunks that each read.
 * The same surroundings and `--predictable` give equal code caches each time. Node accepts them without the flag.
 */
function warmUp(work: string, assets: Record<string, string>): string[][] {
  const { PATH, SystemRoot } = process.env
  execFileSync(process.execPath, ['--predictable', 'scripts/binary/warm-up.ts', work, JSON.stringify(assets)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH, SystemRoot },
  })
  return JSON.parse(readFileSync(`${work}/read.json`, 'utf8'))
}

/** Chunks that the same commands load are one script. That of all commands is `main`. */
function groupChunks(read: string[][]): Groups {
  const groups = Map.groupBy(new Set(read.flat()), (chunk) => {
    const by = read.map((each, index) => (each.includes(chunk) ? `${index}` : ''))
    return by.includes('') ? `group-${by.join('')}` : 'main'
  })
  return Object.fromEntries(groups)
}

type Groups = Record<string, string[]>

/** Chunks of no group are scripts of their own. */
function writeGroups(work: string, assets: Record<string, string>, { main = [], ...groups }: Groups): void {
  const fileFor = (name: string) => assets[name]!
  const writeScript = (name: string, text: string) => writeFileSync(`${work}/${name}.cjs`, allAscii(text))
  for (const [group, names] of Object.entries(groups)) writeScript(group, `(${toFunctions(names.map(fileFor))})`)
  const toGroup = Object.fromEntries(
    Object.entries(groups).flatMap(([group, names]) => names.map((name) => [name, group])),
  )
  const own = toFunctions([`${work}/program/main.cjs`, ...main.map(fileFor)])
  const run = `(${runProgram})(${own},${JSON.stringify(toGroup)},require)`
  writeScript('main', `(function(_module,_exports,require){${run}})`)
}

function toFunctions(files: string[]): string {
  const entries = files.map((file) => {
    return `${JSON.stringify(basename(file))}:function(module,exports,require){${readFileSync(file, 'utf8')}}`
  })
  return `{${entries.join(',\n')}}`
}

/** Text that is all ASCII is read most quickly, and nobody has to find out at every start that it is. */
function allAscii(text: string): string {
  if (isAscii(Buffer.from(text))) return text
  throw new Error('the program has letters beyond ASCII: escape them in regular expressions')
}

type Part = (module: { exports: unknown }, exports: unknown, require: (name: string) => unknown) => void

/** Becomes a part of the main script: loads each chunk once, with the script of its group. */
function runProgram(own: Record<string, Part>, toGroup: Record<string, string>, require: NodeJS.Require): void {
  const loaded: Record<string, { exports: unknown }> = {}
  const readPart = (name: string): Part => {
    const { getAsset, getRawAsset } = require('node:sea') as typeof import('node:sea')
    const { compileFunction, Script } = require('node:vm') as typeof import('node:vm')
    const group = toGroup[name]
    if (group === undefined) {
      return compileFunction(getAsset(name, 'utf8'), ['module', 'exports', 'require'], { filename: name }) as Part
    }
    const asset = (file: string) => Buffer.from(getRawAsset(file) as ArrayBuffer)
    const script = new Script(asset(`${group}.cjs`).toString('latin1'), {
      filename: `${group}.cjs`,
      cachedData: asset(`${group}.cache`),
    })
    Object.assign(own, script.runInThisContext())
    return own[name]!
  }
  const requirePart = (id: string): unknown => {
    if (id[0] !== '.') return require(id)
    const name = id.slice(id.lastIndexOf('/') + 1)
    if (!loaded[name]) {
      loaded[name] = { exports: {} }
      ;(own[name] ?? readPart(name))(loaded[name], loaded[name].exports, requirePart)
    }
    return loaded[name].exports
  }
  requirePart('./main.cjs')
}
