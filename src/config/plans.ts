import { unlimited } from '../contract/choices.ts'
import type { Plan } from '../contract/subscription.ts'
import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import type { Env } from './env.ts'

export interface PlanLimits {
  subscriptions: number
  /** Maximum active API keys; with 0, existing keys can only list keys. */
  keys: number
  /** Reports, scan profiles and labels are available. */
  proFeatures: boolean
  profiles: number
  /** Maximum size of one profile's settings. */
  settingsKb: number
  /** Maximum size of all stored reports, as uploaded. */
  reportsMb: number
}

export type Plans = Record<Plan, PlanLimits>

export const planNames: Record<Plan, string> = { free: 'Free', pro: 'Pro', pro_plus: 'Pro Plus' }

/** Default limits per user: profiles stay few and small, so that listing them is cheap. */
const storage = { profiles: 200, settingsKb: 64, reportsMb: unlimited }
const none: PlanLimits = { subscriptions: unlimited, keys: unlimited, proFeatures: true, ...storage }
const noLimits: Plans = { free: { ...none }, pro: { ...none }, pro_plus: { ...none } }

/** Limits of the published API. */
const interfaceLimits: Plans = {
  free: { subscriptions: 5, keys: 0, proFeatures: false, ...storage },
  pro: { subscriptions: 50, keys: 3, proFeatures: true, ...storage },
  pro_plus: { subscriptions: 500, keys: 10, proFeatures: true, ...storage },
}

/** Names of the limits in `RELT_PLAN_LIMITS`. */
const limitNames: Record<string, keyof PlanLimits> = {
  subscriptions: 'subscriptions',
  keys: 'keys',
  pro_features: 'proFeatures',
  profiles: 'profiles',
  settings_kb: 'settingsKb',
  reports_mb: 'reportsMb',
}

/**
 * Parses `RELT_PLAN_LIMITS`: unset means no limits; `interface` means those of the published API, and `interface,pro.keys=5`
 * or `pro.keys=5` changes some of them; a JSON object sets only the given limits. Throws `usage`.
 */
export function readPlans(env: Env): Plans {
  const text = env.RELT_PLAN_LIMITS?.trim()
  if (!text) return structuredClone(noLimits)
  return text.startsWith('{') ? readObject(text) : readList(text)
}

function readList(text: string) {
  const plans = structuredClone(interfaceLimits)
  const parts = text.split(',').map((part) => part.trim())
  for (const part of parts.filter((each) => each !== '' && each !== 'interface')) {
    const [, plan, name, value] = /^(\w+)\.(\w+)\s*=\s*(\w+)$/.exec(part) ?? []
    setLimit(plans, { plan, name, value: value === undefined ? undefined : parse(value) }, part)
  }
  return plans
}

function readObject(text: string) {
  const plans = structuredClone(noLimits)
  const given = parse(text)
  if (!isObject(given)) throw invalid(text)
  for (const [plan, limits] of Object.entries(given)) {
    if (!isObject(limits)) throw invalid(plan)
    for (const [name, value] of Object.entries(limits)) setLimit(plans, { plan, name, value }, `${plan}.${name}`)
  }
  return plans
}

function setLimit(
  plans: Plans,
  { plan = '', name = '', value }: { plan: string | undefined; name: string | undefined; value: unknown },
  written: string,
) {
  const limit = Object.hasOwn(limitNames, name) ? limitNames[name] : undefined
  if (!limit || !Object.hasOwn(plans, plan)) throw invalid(written)
  const limits = plans[plan as Plan]
  if (limit === 'proFeatures') {
    if (typeof value !== 'boolean') throw invalid(written)
    limits.proFeatures = value
  } else {
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > unlimited) throw invalid(written)
    limits[limit] = value as number
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

function invalid(written: string) {
  return new ReltError('usage', `RELT_PLAN_LIMITS: "${written}" is not a limit of a plan.`, {
    hint: 'Write interface, free.subscriptions=10,pro.keys=5 or {"pro": {"keys": 5}}.',
  })
}
