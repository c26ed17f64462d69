import { expect, test } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import { unlimited } from '../../src/contract/choices.ts'

const none = { subscriptions: unlimited, keys: unlimited, proFeatures: true }
const read = (text: string | undefined) => readPlans({ RELT_PLAN_LIMITS: text })

test('sets no limit by default', () => {
  for (const text of [undefined, '', ' ']) expect(read(text)).toEqual({ free: none, pro: none, pro_plus: none })
})

test('takes the figures of the interface by name', () => {
  expect(read('interface')).toEqual({
    free: { subscriptions: 5, keys: 0, proFeatures: false },
    pro: { subscriptions: 50, keys: 3, proFeatures: true },
    pro_plus: { subscriptions: 500, keys: 10, proFeatures: true },
  })
})

test('changes the figures of the interface', () => {
  const { free, pro, pro_plus } = read('interface')
  for (const text of ['pro.keys=7, free.pro_features=true', 'interface,pro.keys = 7,free.pro_features=true,']) {
    expect(read(text)).toEqual({ free: { ...free, proFeatures: true }, pro: { ...pro, keys: 7 }, pro_plus })
  }
})

test('limits what a JSON object names, and nothing else', () => {
  expect(read('{"free": {"keys": 0, "pro_features": false}}')).toEqual({
    free: { ...none, keys: 0, proFeatures: false },
    pro: none,
    pro_plus: none,
  })
})

test.each([
  'none',
  'pro.keys',
  'pro.keys=-1',
  'pro.keys=many',
  'pro.keys=99999999999',
  'pro.pro_features=1',
  'gold.keys=1',
  'pro.__proto__=1',
  '__proto__.keys=1',
  '{"pro": {"keys": "5"}}',
  '{"pro": {"keys": 1.5}}',
  '{"pro": 5}',
  '{"gold": {"keys": 1}}',
  '{',
])('refuses %s', (text) => {
  expect(() => read(text)).toThrow(/^RELT_PLAN_LIMITS has no plan limit in "/)
})
