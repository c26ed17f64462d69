import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import type { ReportEnvelope } from '../contract/cluster-report.ts'
import { ReltError } from '../errors.ts'
import { unreadable } from '../util/file-error.ts'
import { JsonReader } from '../util/json.ts'
import { readStream } from '../util/read-stream.ts'
import { refuseOtherThanJson } from './other-than-json.ts'

/** The service's limit of a report, in bytes. */
export const maxReportBytes = 100 * 1024 * 1024

export interface ReportFile {
  /** JSON text. */
  report: Uint8Array
  /** The fields around the report, if the file is a whole upload body. */
  envelope: ReportEnvelope
}

/** Reads a report, or an upload body with a report; plain or gzip; `-` is standard input, which is opened lazily. */
export async function readReportFile(
  input: { readonly stdin: AsyncIterable<unknown> },
  file: string,
): Promise<ReportFile> {
  const raw = file === '-' ? await readStream(input.stdin, maxReportBytes) : readFile(file)
  if (!raw) throw tooLarge('Standard input')
  return readReport(raw, toName(file))
}

/** Like `readReportFile`, for the content of a file. `what` names it in errors. */
export async function readReport(raw: Buffer, what: string): Promise<ReportFile> {
  const bytes = unzip(raw, what)
  refuseOtherThanJson(bytes, what)
  const { ReportEnvelope } = await import('../contract/cluster-report.ts')
  return (
    cutOut(bytes, what, new Set([...Object.keys(ReportEnvelope.shape), 'report'])) ?? { report: bytes, envelope: {} }
  )
}

/** Reads only far enough to distinguish a report from an upload body; the service parses all of it. */
function cutOut(bytes: Uint8Array, what: string, bodyKeys: Set<string>): ReportFile | undefined {
  const reader = new JsonReader(bytes, what)
  if (!reader.isObject()) {
    reader.value()
    reader.end()
    return undefined
  }
  const members: Record<string, unknown> = {}
  for (const key of reader.members()) {
    if (!bodyKeys.has(key)) return undefined
    members[key] = key === 'report' ? reader.skip() : reader.value()
  }
  reader.end()
  const { report, ...envelope } = members
  return report instanceof Uint8Array ? { report, envelope } : undefined
}

export function toName(file: string): string {
  return file === '-' ? 'Standard input' : file
}

function unzip(bytes: Buffer, what: string): Buffer {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: maxReportBytes })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(`${what}, unpacked,`)
    throw new ReltError('invalid_json', `${what} is a truncated or invalid gzip file.`, { cause })
  }
}

function readFile(file: string): Buffer {
  try {
    if (statSync(file).size > maxReportBytes) throw tooLarge(file)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof ReltError) throw error
    throw unreadable(file, error)
  }
}

function tooLarge(what: string): ReltError {
  return new ReltError('too_large', `${what} is larger than ${maxReportBytes / 1024 / 1024} MB.`)
}
