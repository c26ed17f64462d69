import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { version } from '../version.ts'
import { type Cli, cliOf, newCommand } from './command.ts'

export function createCommand(context: Context, run = runOpenApi): Command {
  return newCommand('openapi', 'The description of the HTTP interface, as OpenAPI 3.1', [
    'relt openapi > openapi.json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

/** JSON is all it has, with `--json` and without. */
export async function runOpenApi({ io }: Cli): Promise<void> {
  io.out(`${JSON.stringify(openApiDocument(version), null, 2)}\n`)
}
