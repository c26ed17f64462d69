import type { Writable } from 'node:stream'
import { type Logger, pino, stdTimeFunctions } from 'pino'

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]
export type { Logger }

/** One line of JSON for each request. Headers, bodies and queries never get here. */
export function createLogger(stream: Writable | NodeJS.WritableStream, level: LogLevel): Logger {
  return pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    stream as Writable,
  )
}
