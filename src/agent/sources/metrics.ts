import * as z from 'zod/mini'
import type { ScheduledSource } from './source.ts'

/** A metrics file about all clusters for node_exporter. */
export const metrics: ScheduledSource<string> = {
  kind: 'scheduled',
  schema: z.string().check(z.regex(/^\/.*\.prom$/, { error: 'an absolute path that ends with .prom is needed' })),
  needsCluster: false,
  access: () => [],
  placeFor: async () => ({}),
  run: async (context, { job, from }) => {
    const { writeTextfile } = await import('../../submit/write-textfile.ts')
    const { client } = await context.connect(job.server)
    const clusters = await writeTextfile(client, from)
    return { state: 'done', detail: clusters === 0 ? 'No clusters are known.' : null }
  },
}
