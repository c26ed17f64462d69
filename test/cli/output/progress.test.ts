import { expect, onTestFinished, test, vi } from 'vitest'
import type { Io } from '../../../src/cli/output/io.ts'
import { startProgress, withProgress } from '../../../src/cli/output/progress.ts'

vi.mock('../../../src/cli/output/progress-patience.ts', () => ({ progressPatienceMs: 800 }))

/** What a terminal gets while work lasts so long. */
async function drawnFor(ms: number, { atOnce = false, errCanRedraw = true } = {}): Promise<string> {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let text = ''
  const err = (more: string) => {
    text += more
  }
  const io = { err, errCanRedraw, errColor: { cyan: (frame: string) => frame } } as unknown as Io
  const work = () => new Promise<void>((resolve) => setTimeout(resolve, ms))
  const shown = atOnce ? work().then(startProgress(io, 'Comparing', { atOnce })) : withProgress(io, 'Comparing', work)
  await vi.advanceTimersByTimeAsync(ms)
  await shown
  return text
}

test('shows progress only of work that lasts, and removes it at the end', async () => {
  expect(await drawnFor(800)).toBe('')
  expect(await drawnFor(1050)).toBe('\r⠋ Comparing\u001b[K\r⠙ Comparing\u001b[K\r\u001b[K')
  expect(await drawnFor(100_000, { errCanRedraw: false })).toBe('')
})

test('shows progress at once of work that blocks drawing', async () => {
  expect(await drawnFor(10, { atOnce: true })).toBe('\r⠋ Comparing\u001b[K\r\u001b[K')
})
