import { CompiledQuery, type KyselyPlugin, type RootOperationNode } from 'kysely'
import type { Db } from '../../src/db/open.ts'

/** The statements that a piece of work asks the store. */
export async function toStatements(db: Db, work: (db: Db) => Promise<unknown>): Promise<CompiledQuery[]> {
  const nodes: RootOperationNode[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node }) {
      nodes.push(node)
      return node
    },
    transformResult: async ({ result }) => result,
  }
  await work(db.withPlugin(recorder))
  return nodes.map((node) => db.getExecutor().compileQuery(node, { queryId: 'test' }))
}

/** How SQLite finds the rows of a statement, a line for each step. */
export async function planFor(db: Db, { sql, parameters }: CompiledQuery): Promise<string[]> {
  const { rows } = await db.executeQuery<{ detail: string }>(
    CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]),
  )
  return rows.map((row) => row.detail)
}
