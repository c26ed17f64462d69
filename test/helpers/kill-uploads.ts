import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { start, uploaderFile } from './process.ts'
import { checkStore } from './store-check.ts'

/**
 * Kills uploaders after a random 5 to 400 ms, one after the other, and looks at what they leave. In turns: counted from
 * the start on a new store, from the start on a store that grows, and from the first answer on that store.
 */
export async function killUploads(kills: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-kill-'))
  let checked = new Set<string>()
  let answeredInAll = 0
  try {
    for (let round = 0; round < kills; round++) {
      const isNew = round % 3 === 0
      const home = join(folder, isNew ? `new-${round}` : 'grows')
      const delayMs = 5 + Math.random() * 395
      const answered = await killOne(home, round * 10_000, { delayMs, fromFirstAnswer: round % 3 === 2 })
      const stored = await checkStore(home, isNew ? undefined : checked).catch((cause) => {
        throw new Error(`round ${round}, killed after ${delayMs} ms, ${answered.length} answered`, { cause })
      })
      for (const id of answered) expect(stored).toContain(id)
      if (!isNew) checked = stored
      answeredInAll += answered.length
    }
    // On a busy machine those that are counted from the start may all be killed before they answer.
    expect(answeredInAll).toBeGreaterThanOrEqual(Math.floor(kills / 3))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Answers with the run ids that were answered. */
async function killOne(home: string, first: number, options: { delayMs: number; fromFirstAnswer: boolean }) {
  const { child, finished } = start(uploaderFile, [String(first), '10000'], { RELT_HOME: home })
  if (options.fromFirstAnswer) await new Promise((resolve) => child.stdout?.once('data', resolve))
  await sleep(options.delayMs)
  child.kill('SIGKILL')
  const { signal, stdout, stderr } = await finished
  expect({ signal, stderr }).toEqual({ signal: 'SIGKILL', stderr: '' })
  return stdout.split('\n').slice(0, -1)
}
