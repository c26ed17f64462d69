import { readFileSync } from 'node:fs'

/** One file of `data/`. Both builds replace this module: they read the same files from one packed text. */
export function readData(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), 'utf8'))
}
