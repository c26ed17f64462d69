import * as accounts from './accounts.ts'
import * as catalog from './catalog.ts'
import * as fleet from './fleet.ts'
import * as notifications from './notifications.ts'
import * as runs from './runs.ts'
import * as store from './store.ts'
import { inOrder, type Row } from './table.ts'

/** Each of these files exports tables and nothing else. */
const declared = { ...store, ...accounts, ...catalog, ...runs, ...fleet, ...notifications }

type Declared = typeof declared

/** The rows of all tables, by the name of their table. */
export type Tables = { [T in keyof Declared as Declared[T]['name']]: Row<Declared[T]> }

/** All tables, each after those that it refers to. */
export const tables = inOrder(Object.values(declared))

/** Tables with a sealed column: triggers refuse bytes that were sealed with a retired key. */
export const sealedTables = tables.filter(({ columns }) => 'sealed' in columns)

const { project, projectImage, projectChart, release, cycle, projectAdvisory, catalogAdvisory, affectedRange } = catalog

/** Tables on which assessments of runs rest: each change of one ends the revision of the catalog. */
export const catalogTables = [
  ...[project, projectImage, projectChart, release, cycle],
  ...[projectAdvisory, catalogAdvisory, affectedRange],
]
