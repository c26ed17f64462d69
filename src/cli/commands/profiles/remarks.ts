import type { ScanSettings } from '../../../contract/scan-settings.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import type { Cli } from '../../program/command.ts'

export function warn({ io, json }: Cli, lines: string[]) {
  if (!json) for (const line of lines) io.err(`${io.errColor.yellow('!')} ${plain(line)}\n`)
}

/** Remarks on the upload address of a profile, on namespaces listed without excluding them, and on unknown settings. */
export async function formatRemarks({ context }: Cli, settings: ScanSettings | null | undefined) {
  const [{ remarksOn }, { unknownSettings }] = await Promise.all([
    import('../../../profiles/index.ts'),
    import('../../../profiles/unknown-settings.ts'),
  ])
  const unknown = unknownSettings(settings).map(({ path, similar }) => {
    const hint = similar ? ` Did you mean ${similar}?` : ''
    return `The setting ${path} is unknown: it is stored, but no scan uses it.${hint}`
  })
  return [...unknown, ...remarksOn({ settings: settings ?? {} }, (await context.server())?.url)]
}
