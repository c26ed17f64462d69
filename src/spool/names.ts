import { opendirSync } from 'node:fs'

/** Names in a folder, unordered, in constant memory. A missing folder has none. */
export function* namesIn(folder: string): Generator<string> {
  let handle: ReturnType<typeof opendirSync>
  try {
    handle = opendirSync(folder, { bufferSize: 1024 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    for (let entry = handle.readSync(); entry; entry = handle.readSync()) yield entry.name
  } finally {
    handle.closeSync()
  }
}

/** The first `count` texts in sort order; holds at most twice as many. */
export function firstInOrder(texts: Iterable<string>, count: number) {
  let kept: string[] = []
  let bound: string | undefined
  for (const text of texts) {
    if (bound !== undefined && text >= bound) continue
    kept.push(text)
    if (kept.length < 2 * count) continue
    kept = kept.sort().slice(0, count)
    bound = kept.at(-1)
  }
  return kept.sort().slice(0, count)
}
