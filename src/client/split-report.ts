import { isObject, JsonReader } from '../util/json.ts'

/** Splits an answer into a run and the text of its report, if any. The run may be under `run` or `item`. */
export function splitReport(answer: Uint8Array): { run: unknown; report: Uint8Array | undefined } {
  const reader = new JsonReader(answer, "The server's answer")
  const split = readSplit(reader)
  reader.end()
  return split
}

function readSplit(reader: JsonReader): { run: unknown; report: Uint8Array | undefined } {
  if (!reader.isObject()) return { run: reader.value(), report: undefined }
  const run: Record<string, unknown> = {}
  let report: Uint8Array | undefined
  const inside: ReturnType<typeof readSplit>[] = []
  for (const key of reader.members()) {
    if (key === 'report') {
      const text = reader.later()
      if (text.isObject() || text.isArray()) report = text.skip()
    } else if (key === 'run' || key === 'item') inside.push(readSplit(reader.later()))
    else run[key] = reader.value()
  }
  const [nested] = inside.filter((each) => isObject(each.run))
  if ('run_id' in run || !nested) return { run, report }
  return { run: nested.run, report: nested.report ?? report }
}
