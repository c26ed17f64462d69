import { expect, test } from 'vitest'
import { BodyBudget, type HeldBytes } from '../../src/server/http/body-budget.ts'

/** Takes `bytes` in pieces of 10, and the last of each body is released at once. */
async function send(body: HeldBytes, owner: string, bytes: number, onGrant: () => void): Promise<void> {
  for (let taken = 0; taken < bytes; taken += 10) {
    await body.take(owner, 10)
    onGrant()
    await Promise.resolve()
  }
  body.release()
}

test('bodies of many owners wait for each other, and all of them arrive', async () => {
  const budget = new BodyBudget({ total: 10_000, shared: 300, perOwner: 100 })
  let most = 0
  const onGrant = () => {
    most = Math.max(most, 10_000 - budget.free)
  }
  const bodies = Array.from({ length: 40 }, (_, i) => send(budget.open(), `owner-${i % 20}`, 200, onGrant))
  await Promise.all(bodies)
  // The oldest body alone may go beyond.
  expect(most).toBeGreaterThanOrEqual(300)
  expect(most).toBeLessThanOrEqual(300 + 200)
  expect(budget.free).toBe(10_000)
})

test('a full share of all owners stops neither the oldest body nor one that is small', async () => {
  const budget = new BodyBudget({ total: 1000, shared: 100, perOwner: 80, little: 20 })
  const [oldest, second, small] = [budget.open(), budget.open(), budget.open()]
  await oldest.take('ada', 60)
  await second.take('bob', 40)
  expect(small.take('cy', 20)).toBeUndefined()
  expect(oldest.take('ada', 100)).toBeUndefined()
  const waiting = second.take('bob', 10)
  expect(waiting).toBeInstanceOf(Promise)
  oldest.release()
  await waiting
  expect(budget.free).toBe(1000 - 20 - 50)
})

test('a body that finds no room is refused in time, and one that left holds nothing', async () => {
  const budget = new BodyBudget({ total: 1000, shared: 100, perOwner: 80, patienceMs: 20 })
  const [oldest, second, gone] = [budget.open(), budget.open(), budget.open()]
  await oldest.take('ada', 100)
  gone.take('cy', 1)?.catch(() => undefined)
  gone.release()
  await expect(second.take('bob', 10)).rejects.toMatchObject({ code: 'busy', retryAfter: 5 })
  second.release()
  oldest.release()
  expect(budget.free).toBe(1000)
})
