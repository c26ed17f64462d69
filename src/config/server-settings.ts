import { readConfig } from './config-file.ts'
import type { Env } from './env.ts'

/** Settings of `relt serve` in the configuration file, and the variables that override them. */
const variables = {
  log_level: 'RELT_LOG_LEVEL',
  rate_limit_user: 'RELT_RATE_LIMIT_USER',
  rate_limit_address: 'RELT_RATE_LIMIT_ADDRESS',
  plan_limits: 'RELT_PLAN_LIMITS',
  environments: 'RELT_ENVIRONMENTS',
  time_zone: 'RELT_TIME_ZONE',
} as const

/**
 * The environment, with settings from the file that it does not override. Unlike the environment, the file can be reloaded.
 * Throws `usage`.
 */
export function withFileSettings(env: Env): Env {
  const { settings } = readConfig(env)
  const merged = { ...env }
  for (const [name, variable] of Object.entries(variables)) {
    const value = settings[name as keyof typeof variables]
    if (!env[variable] && value !== undefined) merged[variable] = String(value)
  }
  return merged
}
