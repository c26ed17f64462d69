import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Bytes. Of large ones, reading those that a command does not need costs more than it saves. */
const largestPacked = 3000
const packName = 'packed.cjs'

/**
 * Puts the small chunks of a program into one file, each as a function that runs when the chunk is needed. A command needs up to two
 * hundred chunks, and of a small one, finding and opening its file takes most of the time.
 */
export function packChunks(outdir: string): void {
  const folder = join(outdir, 'chunks')
  const entries = globSync(join(outdir, '*.cjs')).map((file) => readFileSync(file, 'utf8'))
  const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  // What asks for its own address stays a file, and so does what a program begins with: the version is told without the rest.
  const isPacked = ([name, code]: [name: string, code: string]) =>
    code.length <= largestPacked && !code.includes('__filename') && !entries.some((entry) => entry.includes(name))
  const packed = new Map([...files].filter(isPacked))
  for (const [name, code] of files) {
    if (packed.has(name)) rmSync(join(folder, name))
    else writeFileSync(join(folder, name), code.replace(/require\("(\.\/([\w.-]+))"\)/g, askPack))
  }
  const functions = [...packed].map(([name, code]) => `"./${name}":(module,exports,require)=>{${code}}`)
  writeFileSync(join(folder, packName), `"use strict";const packed={${functions.join(',')}};${loader}`)

  function askPack(asked: string, path: string, name: string): string {
    return packed.has(name) ? `require("./${packName}")("${path}")` : asked
  }
}

/** As Node's own: a chunk that is asked for while it runs is as far as it has come. */
const loader = `const loaded={};
const load=(name)=>{
  const known=loaded[name];
  if(known)return known.exports;
  const module=loaded[name]={exports:{}};
  packed[name](module,module.exports,find);
  return module.exports
};
const find=(name)=>name in packed?load(name):require(name);
module.exports=load;`
