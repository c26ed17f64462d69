import { EventEmitter } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startWorker } from '../../src/server/start-worker.ts'
import { createWorkerPool } from '../../src/server/worker-pool.ts'

vi.mock('../../src/server/start-worker.ts', () => ({ startWorker: vi.fn() }))

/** A thread that has used an hour of CPU time, and does this when it is to end. */
function openPool(whenEnded: (thread: EventEmitter) => void) {
  const thread = Object.assign(new EventEmitter(), {
    ref: () => {},
    unref: () => {},
    postMessage: () => {},
    cpuUsage: async () => ({ user: 3_600_000_000, system: 0 }),
    terminate: async () => {
      await setImmediate()
      whenEnded(thread)
      thread.emit('exit', 1)
    },
  })
  vi.mocked(startWorker).mockReturnValue(thread as never)
  const pool = createWorkerPool({ env: {}, folder: '/nonexistent', patienceMs: 0 }, 2, 10)
  const costs: number[] = []
  const job = { name: 'uploadReport' } as never
  return { costs, answer: pool.run(job, {} as never, { owner: 'alice', onCpu: (ms) => void costs.push(ms) }) }
}

test('a job that stored before its thread ended is told as stored', async () => {
  const { answer, costs } = openPool((thread) => thread.emit('message', { answer: 'stored', totalCpuMs: 12 }))
  expect(await answer).toBe('stored')
  expect(costs).toEqual([12])
})

test('a job is refused as too costly when its thread has ended, and not before', async () => {
  const order: string[] = []
  const { answer, costs } = openPool(() => order.push('ended'))
  await expect(answer.finally(() => order.push('refused'))).rejects.toMatchObject({ code: 'too_costly' })
  expect(order).toEqual(['ended', 'refused'])
  expect(costs).toEqual([10])
})
