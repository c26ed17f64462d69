import * as accounts from './accounts.ts'
import * as catalog from './catalog.ts'
import * as fleet from './fleet.ts'
import * as notifications from './notifications.ts'
import * as runs from './runs.ts'
import * as store from './store.ts'
import { inOrder, type Row } from './table.ts'

/** Each of these files must export tables only. */
const declared = { ...store, ...accounts, ...catalog, ...runs, ...fleet, ...notifications }

type Declared = typeof declared

/** Row types of all tables, by table name. */
export type Tables = { [T in keyof Declared as Declared[T]['name']]: Row<Declared[T]> }

/** All tables, each after those that it references. */
export const tables = inOrder(Object.values(declared))

/** Tables with a sealed column: triggers reject data sealed with a retired key. */
export const sealedTables = tables.filter(({ columns }) => 'sealed' in columns)

const { project, projectImage, projectChart, release, cycle, projectAdvisory, catalogAdvisory, affectedRange } = catalog

/** Tables that assessments of runs depend on: each change of one ends the catalog revision. */
export const catalogTables = [
  project,
  projectImage,
  projectChart,
  release,
  cycle,
  projectAdvisory,
  catalogAdvisory,
  affectedRange,
]
