import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeWanted } from '../../src/declarative/write-wanted.ts'
import { openRoutes } from '../service/harness.ts'
import { anyState, variables } from './arbitrary.ts'
import { apply, exportAll, plan, toClient } from './client.ts'

test('whatever is applied needs nothing more, nor does its export; and nothing is left of another state', async () => {
  await fc.assert(
    fc.asyncProperty(anyState, anyState, async (before, wanted) => {
      const routes = await openRoutes()
      const client = toClient(routes, routes.ada)
      for (const state of [before, wanted]) {
        const yaml = writeWanted({ wanted: state, variables: [] })
        expect(await apply(client, yaml, { prune: true, variables })).not.toHaveProperty('failure')
        expect((await plan(client, yaml, { prune: true, variables })).actions).toEqual([])
      }
      const exported = await exportAll(client)
      const yaml = writeWanted(exported)
      const again = await plan(client, yaml, { prune: true })
      expect(again).toEqual({ actions: [], unset: exported.variables })
      for (const address of Object.values(variables)) expect(yaml).not.toContain(address)
      // Every character stands for itself on a terminal.
      expect(yaml).toMatch(/^[\n\p{L}\p{M}\p{N}\p{P}\p{S} ]*$/u)
    }),
    { numRuns: 25 },
  )
})

test('an export makes the same of an empty account', async () => {
  await fc.assert(
    fc.asyncProperty(anyState, async (wanted) => {
      const routes = await openRoutes()
      const from = toClient(routes, routes.ada)
      await apply(from, writeWanted({ wanted, variables: [] }), { variables })
      const exported = await exportAll(from)
      const to = toClient(routes, { ...routes.bob, plan: 'pro' })
      const set = Object.fromEntries(exported.variables.map((name) => [name, `https://chat.example/${name}`]))
      expect(await apply(to, writeWanted(exported), { variables: set })).not.toHaveProperty('failure')
      expect(await exportAll(to)).toEqual(exported)
    }),
    { numRuns: 20 },
  )
})
