import type { ApiUses } from './api-use.ts'
import { getRaw, type Kubectl } from './kubectl.ts'

/** Longer than any line of a metric without a histogram. */
const maxLine = 64 * 1024

/** Reads which deprecated APIs were requested since the API server started. Returns why it could not. */
export async function readDeprecatedApis(kubectl: Kubectl, apis: ApiUses): Promise<string | undefined> {
  let rest = ''
  const failure = await getRaw(kubectl, '/metrics', (chunk) => {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop()!.slice(-maxLine)
    for (const line of lines) apis.addMetric(line)
  })
  apis.addMetric(rest)
  return failure?.why
}
