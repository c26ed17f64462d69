import { expect, test } from 'vitest'
import { openDatabase } from '../../../../src/db/open.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

test('bundled projects that a list removed stay away from a new bundle, until they are restored', async () => {
  const home = temporaryFolder()
  const relt = (...argv: string[]) => runCli(argv, { home })
  const total = async () => JSON.parse((await relt('projects', 'list', '--json')).stdout).total
  const bundled = await total()
  const body = { projects: [{ name: 'Shop API' }, { name: 'argo cd' }], cleanup_removed: true }
  const synced = await runCli(['api', 'POST', '/sync-projects', '--input', '-'], { home, stdin: JSON.stringify(body) })
  expect(JSON.parse(synced.stdout)).toEqual({ success: true, created: 1, updated: 1, removed: bundled - 1 })
  expect(await total()).toBe(2)

  const db = await openDatabase(`${home}/relt.db`)
  await db.updateTable('meta').set({ value: '2020-01-01' }).where('key', '=', 'catalog_date').execute()
  await db.destroy()
  expect(await total()).toBe(2)

  const status = await relt('catalog', 'status')
  expect(status.stdout + status.stderr).toContain(
    `Removed bundled projects: ${bundled - 1}. Get them back: relt catalog restore`,
  )
  const restored = await relt('catalog', 'restore')
  expect(restored).toMatchObject({ code: 0, stderr: '✓ Restored the bundled projects\n' })
  expect(await total()).toBe(bundled + 1)
  const { stdout } = await relt('projects', 'releases', 'cilium', '--json')
  expect(JSON.parse(stdout).total).toBeGreaterThan(50)
  expect(await relt('catalog', 'restore')).toMatchObject({ code: 0 })
  expect(await total()).toBe(bundled + 1)
  expect((await relt('catalog', 'status')).stderr).not.toContain('restore')
})
