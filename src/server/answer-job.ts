import type { Ask } from '../mcp/tool.ts'
import { invoke } from '../service/invoke.ts'
import type { Service } from '../service/service.ts'
import { readUpload } from '../service/upload-body.ts'
import { writeJson } from '../util/json-text.ts'
import type { HeavyJob, WorkerAnswer } from './worker-messages.ts'

export async function answerJob(service: Service, job: HeavyJob): Promise<WorkerAnswer> {
  if ('feed' in job) {
    const { renderFeed } = await import('./pages/render-feed.ts')
    return { bytes: toBytes(await renderFeed(service, job)), isDuplicate: false }
  }
  if ('page' in job) {
    const { renderPage } = await import('./pages/render-page.ts')
    const { text, form } = await renderPage(service, job)
    return { bytes: toBytes(text), isDuplicate: false, form }
  }
  if ('tool' in job) {
    const { answerNamed } = await import('../mcp/answer.ts')
    const ask: Ask = (name, input) => invoke(service, name, { ...input, ...job.asking })
    const answered = await answerNamed(job.tool, job.args, { ask, now: service.now() })
    return { bytes: toBytes(JSON.stringify(answered)), isDuplicate: false }
  }
  const { name, request, upload } = job
  const answer = await invoke(service, name, { ...request, ...(upload && readUpload(upload)) })
  return { bytes: writeJson(answer), isDuplicate: (answer as { duplicate?: true }).duplicate === true }
}

/** A short `Buffer` is a slice of Node's pool, which cannot be transferred to a thread. */
const toBytes = (text: string) => new TextEncoder().encode(text)
