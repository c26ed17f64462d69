import type { ScanSettings } from '../../contract/scan-settings.ts'
import type { Cli } from '../command.ts'
import { plain } from '../io.ts'

export function warn({ io, json }: Cli, lines: string[]): void {
  if (!json) for (const line of lines) io.err(`${io.errColor.yellow('!')} ${plain(line)}\n`)
}

/** Where scans by these settings upload to, and what they do not leave out. */
export async function remarksOf({ context }: Cli, settings: ScanSettings | null | undefined): Promise<string[]> {
  const { remarksOn } = await import('../../profiles/index.ts')
  return remarksOn({ settings: settings ?? {} }, (await context.server())?.url)
}
