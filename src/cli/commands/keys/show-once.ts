import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'

/** Only the password goes to standard output, so that a pipe gets nothing else. */
export async function showOnce<T extends { password: string }>(cli: Cli, body: T) {
  await show(cli, { body, text: () => `${body.password}\n` })
  if (!cli.json) cli.io.err(cli.io.errColor.dim('Save it now. It is not shown again.\n'))
}
