import { setTimeout as wait } from 'node:timers/promises'
import type { Config } from '../../../config/config-file.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import type { Io } from '../../output/io.ts'
import type { GlobalOptions } from '../../program/command.ts'

/** Result of one check, and its remedy. */
export interface Line {
  check: string
  state: 'ok' | 'warn' | 'fail'
  found: string
  hint?: string | undefined
  /** The failure may be temporary. */
  passing?: true
}

export interface DoctorContext {
  context: Context
  io: Io
  flags: GlobalOptions
  /** Undefined if the settings are invalid. */
  config: Config | undefined
}

export type DoctorCheck = (surroundings: DoctorContext) => Line[] | Promise<Line[]>

const patienceMs = 10_000

/** Runs a check; an exception or a timeout becomes its result. */
export async function find(name: string, check: DoctorCheck, surroundings: DoctorContext): Promise<Line[]> {
  const seconds = patienceMs / 1000
  const tooLate = wait<Line[]>(patienceMs, [{ check: name, state: 'fail', found: `no answer in ${seconds} seconds` }], {
    ref: false,
  })
  try {
    return await Promise.race([check(surroundings), tooLate])
  } catch (error) {
    return [failed(name, error)]
  }
}

export function failed(check: string, error: unknown): Line {
  return {
    check,
    state: 'fail',
    found: (error as Error).message,
    hint: error instanceof ReltError ? error.hint : undefined,
  }
}
