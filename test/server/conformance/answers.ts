import { expect, test } from 'vitest'
import { everyRoute } from './all.ts'
import { transports } from './ask.ts'
import { mismatches } from './shape.ts'
import { openWorld } from './world.ts'

/** The good cases, and what they answer with. */
export function checkAnswers(): void {
  test.each(everyRoute)('%s answers its owner in the form of the interface', async (name, { status = 200 }, rows) => {
    const calls = [{ call: rows.good, answer: rows.answer }, ...(rows.more ?? [])]
    const world = await openWorld()
    for (const [, ask] of transports) {
      for (const { call, answer } of calls) {
        const outcome = await ask(world, name, await call(world), world.owner)
        expect(outcome).toMatchObject({ status })
        expect(mismatches(answer, outcome.answer)).toEqual([])
      }
    }
  })

  test('a form notices what differs from it', () => {
    const form = { id: 'integer', name: 'string?', kind: 'a|b', items: [{ at: 'timestamp' }], 'more?': 'true' } as const
    const good = { id: 1, name: null, kind: 'a', items: [{ at: '2026-08-30 00:00:00' }] }
    expect(mismatches(form, good)).toEqual([])
    expect(mismatches(form, { ...good, secret: 1 })).toEqual(['answer.secret is not in the interface'])
    expect(mismatches(form, { ...good, items: [] })).toEqual(['answer.items is empty'])
    expect(mismatches(form, { id: 1.5, kind: 'ab', items: [{ at: '2026-08-30T00:00:00Z' }], more: false })).toEqual([
      'answer.id is no integer: 1.5',
      'answer.name is missing',
      'answer.kind is no a|b: "ab"',
      'answer.items[].at is no timestamp: "2026-08-30T00:00:00Z"',
      'answer.more is no true: false',
    ])
  })
}
