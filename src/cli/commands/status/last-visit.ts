import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dataFolder, type Env } from '../../../config/env.ts'
import { writePrivateFile } from '../../../config/private-file.ts'
import { isObject, parseJson } from '../../../util/json.ts'

/** A repeated command within this time belongs to the same visit, and shows the same changes. */
const visitSeconds = 3600

interface Visits {
  /** End of the previous visit, and time of the last command; unix seconds. */
  before: number | null
  last: number
}

/** Records a visit. Returns the time of the previous visit; undefined for the first. */
export function noteVisit(env: Env, now: number): number | undefined {
  const file = join(dataFolder(env), 'status-visits.json')
  const known = readVisits(file)
  const isSame = known !== undefined && now - known.last < visitSeconds && now >= known.last
  const before = known === undefined ? null : isSame ? known.before : known.last
  writePrivateFile(file, `${JSON.stringify({ before, last: now } satisfies Visits)}\n`)
  return before ?? undefined
}

/** Undefined also if the file is invalid. */
function readVisits(file: string): Visits | undefined {
  try {
    const found = parseJson(readFileSync(file), 'The file of visits')
    if (!isObject(found) || !Number.isSafeInteger(found.last)) return undefined
    return { before: Number.isSafeInteger(found.before) ? (found.before as number) : null, last: found.last as number }
  } catch {
    return undefined
  }
}
