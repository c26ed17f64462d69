import type { ScanSettings } from '../../../contract/scan-settings.ts'
import { plain } from '../../output/io.ts'
import type { Cli } from '../../program/command.ts'

export function warn({ io, json }: Cli, lines: string[]): void {
  if (!json) for (const line of lines) io.err(`${io.errColor.yellow('!')} ${plain(line)}\n`)
}

/** Remarks on the upload address of a profile and on namespaces that it lists without excluding them. */
export async function remarksOf({ context }: Cli, settings: ScanSettings | null | undefined): Promise<string[]> {
  const { remarksOn } = await import('../../../profiles/index.ts')
  return remarksOn({ settings: settings ?? {} }, (await context.server())?.url)
}
