import { detectCi } from '../../ci/detect.ts'
import type { Env } from '../../config/env.ts'
import { parseJson } from '../../util/json.ts'
import { readOwnFile } from '../../util/own-file.ts'

const maxEventBytes = 25 * 1024 * 1024

/** The current pipeline, from its variables and GitHub's event. */
export function findPipeline(env: Env) {
  return detectCi(env, readEvent(env))
}

/** GitHub's event, parsed; undefined if it is unreadable, because it is optional. */
export function readEvent({ GITHUB_ACTIONS, GITHUB_EVENT_PATH: file }: Env): unknown {
  if (GITHUB_ACTIONS !== 'true' || !file) return undefined
  try {
    return parseJson(readOwnFile(file, maxEventBytes), 'The event')
  } catch {
    return undefined
  }
}
