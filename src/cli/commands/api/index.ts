import { readFileSync } from 'node:fs'
import type { Client, RawRequest } from '../../../client/client.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { unreadable } from '../../../util/file-error.ts'
import { isObject } from '../../../util/json.ts'
import { readStream } from '../../../util/read-stream.ts'
import { renderJson } from '../../output/json.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

const methods = ['GET', 'POST', 'PUT', 'DELETE']

export default verb({
  examples: [
    'relt api GET /projects -f search=argo --paginate',
    'relt api POST /toggle-sub -F product_id=3',
    'relt api PUT /cluster-configs/ccfg_a1 --input profile.json',
  ],
  args: [
    ['<method>', methods.join(', '), { parse: readMethod }],
    ['<path>', 'path below the base URL, such as /projects'],
  ],
  options: {
    '-f, --raw-field <name=value>': {
      help: 'add a text field to the body, or to the query of a GET',
      parse: (text: string, fields: Field[] = []) => [...fields, placed(readField(text))],
    },
    '-F, --field <name=value>': {
      help: 'add a typed field: a number, true, false, null or JSON',
      parse: (text: string, fields: Field[] = []) => [...fields, placed(readTypedField(text))],
    },
    '--input <file>': 'JSON file to send as the body; - for standard input',
    '--paginate': 'fetch all pages and merge their items',
  },
  run: async (cli, method, path, { rawField = [], field = [], input, paginate }) => {
    const { context } = cli
    const fields = [...rawField, ...field].sort((a, b) => a.place - b.place).map(({ name, value }) => [name, value])
    const hasBody = (method === 'POST' || method === 'PUT') && input === undefined
    const query = hasBody
      ? {}
      : Object.fromEntries(
          fields.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
        )
    const given = hasBody ? Buffer.from(JSON.stringify(Object.fromEntries(fields))) : undefined
    const body = input === undefined ? given : await readInput(context, input)
    if (paginate && method !== 'GET') throw new ReltError('usage', '--paginate only works with GET.')
    const client = await context.client()
    const request = { method, path, query, body }
    const answer = paginate ? await readAllPages(client, request) : await client.request(request)
    await show(cli, { body: answer, verbatim: renderJson(cli.io, answer) })
  },
})

/** No list of relt has more; stops at a server that never ends. */
const maxPages = 10_000

/** Returns the first page, with the items of all pages. */
async function readAllPages(client: Client, request: RawRequest): Promise<unknown> {
  const first = await client.request(request)
  if (!isObject(first) || !Array.isArray(first.items) || typeof first.total_pages !== 'number') {
    throw new ReltError('usage', 'The response has no pages.', { hint: 'Remove --paginate.' })
  }
  const items = [...first.items]
  const start = typeof first.page === 'number' ? first.page : 1
  for (let page = start + 1; page <= Math.min(first.total_pages, maxPages); page++) {
    const next = await client.request({ ...request, query: { ...request.query, page: String(page) } })
    if (!isObject(next) || !Array.isArray(next.items) || next.items.length === 0) break
    items.push(...next.items)
  }
  return { ...first, items }
}

/** Reads `name=value`, with the value as text. */
function readField(text: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (name !== undefined && value !== undefined) return [name, value]
  throw new ReltError('usage', `"${text}" is not a field.`, { hint: 'Use name=value.' })
}

/** Reads `name=value`, with the value as JSON if it looks like JSON, else as text. */
function readTypedField(text: string): [string, unknown] {
  const [name, value] = readField(text)
  if (!/^(true|false|null|-?\d+(\.\d+)?|[[{].*)$/s.test(value)) return [name, value]
  try {
    return [name, JSON.parse(value)]
  } catch {
    throw new ReltError('usage', `The value of ${name} is not valid JSON.`, { hint: 'Use -f for plain text.' })
  }
}

/** Fields from several options; for equal names the last one counts. */
interface Field {
  name: string
  value: unknown
  place: number
}

let places = 0

function placed([name, value]: [string, unknown]) {
  return { name, value, place: places++ }
}

function readMethod(text: string) {
  const method = text.toUpperCase()
  if (methods.includes(method)) return method
  throw new ReltError('usage', `Unknown method "${text}".`, { hint: `Use ${methods.join(', ')}.` })
}

const maxBytes = 100 * 1024 * 1024

async function readInput({ stdin }: Context, file: string) {
  if (file !== '-') {
    try {
      return readFileSync(file)
    } catch (cause) {
      throw unreadable(file, cause)
    }
  }
  const bytes = await readStream(stdin, maxBytes)
  if (bytes) return bytes
  throw new ReltError('too_large', 'Standard input is larger than 100 MB.')
}
