import { invoke } from '../service/invoke.ts'
import type { Service } from '../service/service.ts'
import { readUpload } from '../service/upload-body.ts'
import { writeJson } from '../util/json-text.ts'
import type { HeavyJob, WorkerAnswer } from './worker-messages.ts'

export async function answerJob(service: Service, job: HeavyJob): Promise<WorkerAnswer> {
  if ('feed' in job) {
    const { renderFeed } = await import('./pages/render-feed.ts')
    // A short `Buffer` is a part of Node's pool, which no thread can hand over.
    return { bytes: new TextEncoder().encode(await renderFeed(service, job)), isDuplicate: false }
  }
  const { name, request, upload } = job
  const answer = await invoke(service, name, { ...request, ...(upload && readUpload(upload)) })
  return { bytes: writeJson(answer), isDuplicate: (answer as { duplicate?: true }).duplicate === true }
}
