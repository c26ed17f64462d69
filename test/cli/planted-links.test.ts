import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'

/** Somebody who may write to the folder, and knows the process id, which names drafts no more. */
function plant(folder: string, names: string[]): string {
  const victim = join(temporaryFolder(), 'victim')
  writeFileSync(victim, 'precious')
  for (const name of names) symlinkSync(victim, join(folder, name))
  return victim
}

const drafts = (name: string) => [`${name}.${process.pid}`, `${name}.${process.pid}.part`, `${name}.tmp`]

describe('a planted link does not lead a file of relt to another one', () => {
  test.each(['config.json', ...drafts('config.json')])('%s, when a setting is written', async (name) => {
    const home = temporaryFolder()
    const victim = plant(home, [name])
    // A link in place of the file itself is read before it is replaced.
    if (name === 'config.json') writeFileSync(victim, '{}')
    const before = readFileSync(victim, 'utf8')
    expect((await runCli(['config', 'set', 'timeout', '30'], { home })).code).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe(before)
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ timeout: 30 })
  })

  test('the key of the store and its drafts', async () => {
    const home = temporaryFolder()
    const victim = plant(home, drafts('master.key'))
    const report = JSON.stringify({ metadata: { clusterName: 'c' }, checks: { A: { Total: 0 } } })
    expect((await runCli(['reports', 'upload', '-'], { home, stdin: report })).code).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe('precious')
    expect(readFileSync(join(home, 'master.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/)
  })

  test('a store whose file is a link that leads nowhere', async () => {
    const [home, elsewhere] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(join(elsewhere, 'new'), join(home, 'relt.db'))
    const { code, stderr } = await runCli(['reports', 'list'], { home })
    expect([code, stderr]).toEqual([1, expect.stringContaining('relt.db')])
    expect(readdirSync(elsewhere)).toEqual([])
  })

  test('an exported catalog', async () => {
    const [home, folder] = [temporaryFolder(), temporaryFolder()]
    const victim = plant(folder, ['catalog.relt', ...drafts('catalog.relt')])
    expect((await runCli(['catalog', 'export', join(folder, 'catalog.relt')], { home })).code).toBe(0)
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })
})
