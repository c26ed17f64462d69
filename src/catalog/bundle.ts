import { kept } from '../util/remember.ts'
import { bundledCatalogDate, bundledCatalogEdition, upgradeFactsDate } from './date.ts'
import { readData } from './read-data.ts'

export interface Edition {
  /** Day on which the facts were gathered, `YYYY-MM-DD`. */
  date: string
  /** Incremented for more facts of the same day. */
  edition: number
}

export interface BundleDays extends Edition {
  /** Day on which the facts for upgrade plans were gathered. */
  upgrade_date: string
}

/** One edition of the catalog: all facts that are built into relt, or that a publisher built later. */
export interface Bundle extends BundleDays {
  /** Reads a file of the catalog, by its name in `data/` without extension. */
  read: <T>(name: string) => T
}

export const builtIn: Bundle = {
  date: bundledCatalogDate,
  edition: bundledCatalogEdition,
  upgrade_date: upgradeFactsDate,
  read: readData,
}

export function isNewer(one: Edition, other: Edition) {
  return one.date === other.date ? one.edition > other.edition : one.date > other.date
}

/** A function of a bundle that computes its result once for each bundle. */
export const perBundle = <T>(make: (bundle: Bundle) => T) => kept(make, new WeakMap<Bundle, T>())
