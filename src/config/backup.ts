import { join } from 'node:path'
import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

export interface BackupSettings {
  /** Null: backups are disabled. */
  everyHours: number | null
  folder: string
  /** Number of backups that remain. */
  keep: number
}

/** Reads `RELT_BACKUP_HOURS`, `RELT_BACKUP_FOLDER` and `RELT_BACKUP_KEEP`. Throws `usage`. */
export function readBackupSettings(env: Env, dataFolder: string): BackupSettings {
  return {
    everyHours: readNumber(env, 'RELT_BACKUP_HOURS', 8760) ?? null,
    folder: env.RELT_BACKUP_FOLDER || join(dataFolder, 'backups'),
    keep: readNumber(env, 'RELT_BACKUP_KEEP', 9999) ?? 7,
  }
}

function readNumber(env: Env, name: string, max: number) {
  const text = env[name]?.trim()
  if (!text) return undefined
  const value = Number(text)
  if (/^\d{1,4}$/.test(text) && value >= 1 && value <= max) return value
  throw new ReltError('usage', `${name} is not a number from 1 to ${max}: "${text}".`)
}
