import type { Writable } from 'node:stream'
import { type Logger, pino, stdTimeFunctions } from 'pino'
import { ReltError } from '../errors.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
export type { Logger }

/** Reads `RELT_LOG_LEVEL`. Throws `usage`. */
export function readLogLevel(env: Record<string, string | undefined>): LogLevel {
  const text = env.RELT_LOG_LEVEL?.trim() || 'info'
  const level = logLevels.find((each) => each === text)
  if (level) return level
  throw new ReltError('usage', `RELT_LOG_LEVEL is not a log level: "${text}".`, {
    hint: `One of ${logLevels.join(', ')}.`,
  })
}

/** Writes one line of JSON per entry, never with headers, bodies or queries. */
export function createLogger(stream: Writable | NodeJS.WritableStream, level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    stream as Writable,
  )
}
