import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, type Env } from '../../../config/env.ts'
import { writePrivateFile } from '../../../config/private-file.ts'
import { isObject, parseJson } from '../../../util/json.ts'

/** Who looks again soon is still at the same visit, and sees the same. */
const visitSeconds = 3600

interface Visits {
  /** When the visit before this one ended, and when somebody last looked; unix seconds. */
  before: number | null
  last: number
}

/** Notes a visit. Returns when the visit before this one was; undefined at the first. */
export function noteVisit(env: Env, now: number): number | undefined {
  const file = join(dataFolder(env), 'status-visits.json')
  const known = readVisits(file)
  const isSame = known !== undefined && now - known.last < visitSeconds && now >= known.last
  const before = known === undefined ? null : isSame ? known.before : known.last
  writePrivateFile(file, `${JSON.stringify({ before, last: now } satisfies Visits)}\n`)
  return before ?? undefined
}

/** Undefined also for a file that somebody else wrote. */
function readVisits(file: string): Visits | undefined {
  try {
    const found = parseJson(readFileSync(file), 'The file of visits')
    if (!isObject(found) || !Number.isSafeInteger(found.last)) return undefined
    return { before: Number.isSafeInteger(found.before) ? (found.before as number) : null, last: found.last as number }
  } catch {
    return undefined
  }
}
