import type { Command } from 'commander'
import type { Context } from '../context.ts'
import { type Cli, cliOf, newCommand } from './command.ts'
import { printJson } from './json.ts'
import { print } from './print.ts'

export function createCommand(context: Context, run = runStats): Command {
  return newCommand('stats', 'Numbers of the catalog', ['relt stats', 'relt stats --json']).action(
    (_options, command) => run(cliOf(context, command)),
  )
}

export async function runStats({ context, io, json }: Cli): Promise<void> {
  const client = await context.client()
  const stats = await client.call('getStats', {})
  if (json) return printJson(io, stats)
  const lines: [string, number][] = [
    ['Projects', stats.total_projects],
    ['Releases', stats.total_releases],
    ['  in the last 7 days', stats.releases_last_7d],
    ['  in the last 30 days', stats.releases_last_30d],
    ['  in the last 90 days', stats.releases_last_90d],
    ['Security fixes', stats.total_security_fixes],
  ]
  for (const [label, count] of lines) print(io, `${label.padEnd(24)}${count.toLocaleString('en').padStart(8)}\n`)
  print(io, io.color.dim(`Catalog of ${stats.catalog_date}\n`))
}
