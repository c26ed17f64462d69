import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'

export function createCommand(context: Context, run = runOpenApi): Command {
  return newNoun('openapi', ['relt openapi > openapi.json']).action((_options, command) => run(cliOf(context, command)))
}

/** A document for programs: JSON, unless another form of data is asked for. */
export async function runOpenApi(cli: Cli): Promise<void> {
  const { openApiDocument } = await import('../../../contract/openapi.ts')
  const body = openApiDocument(version)
  await show(cli, { body, text: () => `${JSON.stringify(body, null, 2)}\n` })
}
