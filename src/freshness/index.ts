export { assessFreshness, type FreshnessOptions } from './freshness.ts'
export { type LookupKeys, lookupKeys } from './lookup-keys.ts'
