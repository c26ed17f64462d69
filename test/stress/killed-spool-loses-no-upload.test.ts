import type { ChildProcess } from 'node:child_process'
import { existsSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openRadar } from '../cli/commands/spool/radar.ts'
import { reltFile, spoolerFile, start } from '../helpers/process.ts'
import { openSpool } from '../spool/entries.ts'

test('kills while uploads are kept and while they are sent lose none and double none', async () => {
  const { home, url, env, stored } = await openRadar()
  const { spool, warnings } = openSpool({ home })
  const kept = new Set<string>()
  for (let round = 0; round < 8; round++) {
    const { child, finished } = start(spoolerFile, [url, String(round * 1000), '15'], { RELT_HOME: home })
    if (round % 2 === 1) await said(child, `shop-${round * 1000 + 4}\n`)
    await sleep(Math.random() * (round % 2 === 1 ? 40 : 200))
    child.kill('SIGKILL')
    const { stdout, stderr } = await finished
    expect(stderr).toBe('')
    for (const name of stdout.split('\n').slice(0, -1)) kept.add(name)
  }
  const waiting = spool.list().map(({ cluster }) => cluster!)
  expect(waiting).toEqual(expect.arrayContaining([...kept]))
  expect(kept.size).toBeGreaterThanOrEqual(20)
  for (const { id } of spool.list()) expect(spool.read(id)).toBeDefined()

  const lock = join(spool.folder, 'lock')
  let kills = 0
  while (spool.list().length > 0) {
    const left = spool.list().length
    const { child, finished } = start(reltFile, ['spool', 'send'], { RELT_HOME: home, ...env })
    // Killed as soon as it has sent some, and the last time left alone.
    while (kills < 6 && child.exitCode === null && spool.usage().waiting > left - 3) await sleep(2)
    if (kills < 6) child.kill('SIGKILL')
    const { signal } = await finished
    if (signal === 'SIGKILL') kills++
    // As if the half minute had passed after which it is missed.
    if (existsSync(lock)) utimesSync(lock, new Date(0), new Date(0))
  }
  expect(kills).toBeGreaterThan(1)
  expect(await stored()).toEqual(waiting.toSorted())
  expect(warnings).toEqual([])
})

async function said(child: ChildProcess, text: string): Promise<void> {
  let all = ''
  await new Promise<void>((resolve) => {
    child.stdout?.on('data', (chunk: string) => {
      all += chunk
      if (all.includes(text)) resolve()
    })
  })
}
