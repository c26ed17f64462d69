import { expect, test } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import { unlimited } from '../../src/contract/choices.ts'

const storage = { profiles: 200, settingsKb: 64, reportsMb: unlimited }
const none = { subscriptions: unlimited, keys: unlimited, proFeatures: true, ...storage }
const read = (text: string | undefined) => readPlans({ RELT_PLAN_LIMITS: text })

test('sets no limit by default', () => {
  for (const text of [undefined, '', ' ']) expect(read(text)).toEqual({ free: none, pro: none, pro_plus: none })
})

test('takes the figures of the interface by name', () => {
  expect(read('interface')).toEqual({
    free: { subscriptions: 5, keys: 0, proFeatures: false, ...storage },
    pro: { subscriptions: 50, keys: 3, proFeatures: true, ...storage },
    pro_plus: { subscriptions: 500, keys: 10, proFeatures: true, ...storage },
  })
})

test('changes the figures of the interface', () => {
  const { free, pro, pro_plus } = read('interface')
  for (const text of ['pro.keys=7, free.pro_features=true', 'interface,pro.keys = 7,free.pro_features=true,']) {
    expect(read(text)).toEqual({ free: { ...free, proFeatures: true }, pro: { ...pro, keys: 7 }, pro_plus })
  }
})

test('limits what a user stores', () => {
  const limits = { profiles: 3, settingsKb: 8, reportsMb: 500 }
  expect(read('pro.profiles=3,pro.settings_kb=8,pro.reports_mb=500').pro).toMatchObject(limits)
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
  expect(() => read(text)).toThrow(/^RELT_PLAN_LIMITS: "/)
})
