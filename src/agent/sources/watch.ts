import * as z from 'zod/mini'
import { line } from '../job.ts'
import type { WatchedSource } from './source.ts'

const WatchSettings = z.strictObject({
  folder: line(1000),
  /** Pattern of file names, with `*` and `?`. */
  pattern: z._default(line(200), '*.json'),
  /** Files stay in place and are remembered by their content. */
  keep: z._default(z.boolean(), false),
})
export type WatchSettings = z.infer<typeof WatchSettings>

/** A folder in which reports appear. */
export const watch: WatchedSource<WatchSettings> = {
  kind: 'watched',
  schema: WatchSettings,
  needsCluster: false,
  access: () => [],
  placeFor: async () => ({}),
  run: async (...args) => (await import('../run-watch.ts')).runWatch(...args),
}
