import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { unreadable } from '../../../util/file-error.ts'
import { renderJson } from '../../output/json.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'
import { readField, readTypedField } from './field.ts'
import { readAllPages } from './pages.ts'

export interface ApiOptions {
  field: [string, unknown][]
  input?: string
  paginate?: boolean
}

const methods = ['GET', 'POST', 'PUT', 'DELETE']

export function createCommand(context: Context, run = runApi): Command {
  const fields: [string, unknown][] = []
  const collect = (read: (text: string) => [string, unknown]) => (text: string) => {
    fields.push(read(text))
    return fields
  }
  return newNoun('api', [
    'relt api GET /projects -f search=argo --paginate',
    'relt api POST /toggle-sub -F product_id=3',
    'relt api PUT /cluster-configs/ccfg_a1 --input profile.json',
  ])
    .argument('<method>', methods.join(', '), readMethod)
    .argument('<path>', 'path below the base URL, such as /projects')
    .option(
      '-f, --raw-field <name=value>',
      'add a text field to the body, or to the query of a GET',
      collect(readField),
    )
    .option(
      '-F, --field <name=value>',
      'add a typed field: a number, true, false, null or JSON',
      collect(readTypedField),
    )
    .option('--input <file>', 'JSON file to send as the body; - for standard input')
    .option('--paginate', 'fetch all pages and merge their items')
    .action((method, path, options, command) =>
      run(cliOf(context, command), method, path, { ...options, field: fields }),
    )
}

export async function runApi(cli: Cli, method: string, path: string, options: ApiOptions): Promise<void> {
  const { context } = cli
  const { field, input, paginate } = options
  const hasBody = (method === 'POST' || method === 'PUT') && input === undefined
  const query = hasBody ? {} : Object.fromEntries(field.map(([name, value]) => [name, textOf(value)]))
  const body = input === undefined ? bodyOf(hasBody, field) : await readInput(context, input)
  if (paginate && method !== 'GET') throw new ReltError('usage', '--paginate only works with GET.')
  const client = await context.client()
  const request = { method, path, query, body }
  const answer = paginate ? await readAllPages(client, request) : await client.request(request)
  await show(cli, { body: answer, verbatim: renderJson(cli.io, answer) })
}

function readMethod(text: string): string {
  const method = text.toUpperCase()
  if (methods.includes(method)) return method
  throw new ReltError('usage', `Unknown method "${text}".`, { hint: `Use ${methods.join(', ')}.` })
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function bodyOf(hasBody: boolean, fields: [string, unknown][]): Uint8Array | undefined {
  return hasBody ? Buffer.from(JSON.stringify(Object.fromEntries(fields))) : undefined
}

const maxBytes = 100 * 1024 * 1024

async function readInput({ stdin }: Context, file: string): Promise<Uint8Array> {
  if (file !== '-') {
    try {
      return readFileSync(file)
    } catch (cause) {
      throw unreadable(file, cause)
    }
  }
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxBytes) throw new ReltError('too_large', 'Standard input is larger than 100 MB.')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
