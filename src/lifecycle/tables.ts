import { kept } from '../util/remember.ts'
import cycles from './data/cycles.json' with { type: 'json' }
import kubernetes from './data/kubernetes-eol.json' with { type: 'json' }
import systems from './data/node-systems.json' with { type: 'json' }
import offerings from './data/offerings.json' with { type: 'json' }

/** By file in `data/`: see docs/catalog.md for the sources and the formats. */
const builtIn = { cycles, 'kubernetes-eol': kubernetes, 'node-systems': systems, offerings }

type LifecycleTables = typeof builtIn

/** The newest that this process knows: facts about the world, which are the same for all its stores. */
let newest = builtIn
let edition = ''

export const lifecycleTables = () => newest

/** Takes the tables that `read` finds, if their edition is newer; editions are texts that sort by age. */
export function useNewer(of: string, read: (name: string) => unknown) {
  if (of <= edition) return
  const names = Object.keys(builtIn) as (keyof LifecycleTables)[]
  newest = Object.fromEntries(names.map((name) => [name, read(name) ?? builtIn[name]])) as LifecycleTables
  edition = of
}

/** Computes a result from the newest tables, once for each edition of them. */
export function perTables<T>(make: (tables: LifecycleTables) => T) {
  const find = kept(make)
  return () => find(newest)
}
