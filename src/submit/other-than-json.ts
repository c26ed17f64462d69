import { ReltError } from '../errors.ts'

/** Rejects a file that is not JSON, by its name if that shows its type. Leaves invalid JSON to the reader. */
export function refuseOtherThanJson(bytes: Uint8Array, what: string): void {
  const name = binaryName(bytes) ?? textName(bytes)
  if (name === undefined) return
  throw new ReltError('invalid_json', `${what} is ${name}, not JSON.`, {
    hint: name.startsWith('UTF-16')
      ? 'Save it as UTF-8, or create the report again: kubebuddy run --json-report'
      : 'Create the report as JSON: kubebuddy run --json-report',
  })
}

const signatures: [name: string, start: string][] = [
  ['a zip archive', 'PK\x03\x04'],
  ['a zip archive', 'PK\x05\x06'],
  ['a PDF document', '%PDF'],
  ['a PNG image', '\x89PNG'],
  ['a gzip file in a gzip file', '\x1f\x8b'],
  ['a zstd file', '\x28\xb5\x2f\xfd'],
  ['UTF-16 text', '\xff\xfe'],
  ['UTF-16 text', '\xfe\xff'],
]

function binaryName(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 512)).toString('latin1')
  const known = signatures.find(([, signature]) => start.startsWith(signature))
  if (known) return known[0]
  if (/^(?:[\t\n\r -~]\0)+/.test(start) || /^(?:\0[\t\n\r -~])+/.test(start)) return 'UTF-16 text'
  return start.includes('\0') ? 'a binary file' : undefined
}

const texts: [name: string, start: RegExp][] = [
  ['an HTML page', /^<(?:!doctype html|html|head|body)\b/i],
  ['an XML document', /^</],
  ['a YAML document', /^(?:---|%YAML|[\w.-]+:(?:\s|$))/],
  ['a Markdown document', /^#{1,6} /],
  ['a CSV file', /^(?:[^\n,;\t{}[\]]*[,;\t]){2}[^\n{}[\]]*\n/],
  ['plain text', /^[^{["\d-]/],
]
const words = /^(?:true|false|null)\s*$/

function textName(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 4096))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (words.test(start)) return undefined
  return texts.find(([, pattern]) => pattern.test(start))?.[0]
}
