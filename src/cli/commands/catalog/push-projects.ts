import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { placeOf } from './place.ts'

export interface PushOptions {
  cleanupRemoved?: boolean
  yes?: boolean
}

export function createCommand(context: Context, run = runPush): Command {
  return newCommand('push-projects', 'Create and update projects on a server from a file (admins only)', [
    'relt catalog push-projects projects.yaml',
    'relt catalog push-projects projects.json --cleanup-removed --yes',
    'cat projects.yaml | relt catalog push-projects - --server prod',
  ])
    .argument('<file>', 'list of projects as YAML or JSON; - for standard input')
    .option('--cleanup-removed', 'remove pushed projects missing from this list')
    .option('-y, --yes', 'skip the confirmation prompt')
    .addHelpText(
      'after',
      `
Fields of a project: name, description, category, cncf_status, homepage, docs_url, repo_url,
helm_chart_repo, logo_url. Projects are matched by name, ignoring
case. Omitted fields keep their values.`,
    )
    .action((file, options, command) => run(cliOf(context, command), file, options))
}

export async function runPush(cli: Cli, file: string, { cleanupRemoved = false, yes }: PushOptions): Promise<void> {
  const { readProjects } = await import('./read-projects.ts')
  const projects = await readProjects(cli.context, file)
  const place = await placeOf(cli)
  if (cleanupRemoved && !yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    const lacking = `Remove pushed projects missing from this list of ${projects.length},`
    await confirmOrRefuse(cli.io, `${lacking} with their releases and subscriptions, ${place}?`)
  }
  const client = await cli.context.client()
  const answer = await client.call('syncProjects', { body: { projects, cleanup_removed: cleanupRemoved } })
  const [created, updated, removed] = [answer.created, answer.updated, answer.removed].map(
    (count) => count ?? 'unknown',
  )
  await sayDone(cli, `Pushed projects: ${created} created, ${updated} updated, ${removed} removed ${place}`, answer)
}
