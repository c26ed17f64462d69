import { readFileSync } from 'node:fs'

/** Reads a file of `data/`. Both builds replace this module, to read the same files from one compressed text. */
export function readData<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`data/${name}.json`, import.meta.url), 'utf8'))
}
