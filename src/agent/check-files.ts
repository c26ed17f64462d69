import { readdirSync } from 'node:fs'
import type { Env } from '../config/env.ts'
import { ReltError } from '../errors.ts'
import { readPolicyFile } from '../submit/read-policy-file.ts'
import { fileReason } from '../util/file-error.ts'
import { isMadeByAgent } from './own-folder.ts'
import type { ScheduledJob } from './read-config.ts'

/** Throws `usage` for jobs with an unreadable gate policy or watched folder: such a job would never judge a report. */
export function checkFiles(env: Env, jobs: ScheduledJob[]) {
  const problems = jobs.flatMap((job) => {
    const found = [problemOfGate(job), problemOfFolder(env, job)].filter((problem) => problem !== undefined)
    return found.length > 0 ? [[job.name, found.join(' ')]] : []
  })
  if (problems.length === 0) return
  throw new ReltError('usage', 'Files of the jobs cannot be used.', { params: Object.fromEntries(problems) })
}

function problemOfGate({ gate }: ScheduledJob) {
  if (gate === undefined) return undefined
  try {
    return readPolicyFile(gate) ? undefined : `${gate} has no gate key.`
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    return [error.message, ...Object.entries(error.params ?? {}).map(([at, what]) => `${at}: ${what}.`)].join(' ')
  }
}

function problemOfFolder(env: Env, { watch }: ScheduledJob) {
  if (watch === undefined || isMadeByAgent(env, watch.folder)) return undefined
  try {
    readdirSync(watch.folder)
    return undefined
  } catch (cause) {
    return `The folder ${watch.folder} cannot be read: ${fileReason(cause)}.`
  }
}
