import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { ProjectDetail, Release } from '../../contract/project.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { type Io, plain } from '../io.ts'
import { printJson } from '../json.ts'
import { print } from '../print.ts'
import { when } from '../time.ts'
import { resolveProject } from './resolve.ts'

export function createCommand(context: Context, run = runShow): Command {
  return newCommand('show', 'One project with its newest releases', [
    'relt projects show argo-cd',
    'relt projects show 42',
  ])
    .argument('<project>', 'name or id')
    .action((project, _options, command) => run(cliOf(context, command), project))
}

export async function runShow({ context, io, json }: Cli, idOrName: string): Promise<void> {
  const client = await context.client()
  const id = await resolveProject(client, idOrName)
  const answer = await client.call('getProject', { params: { id } })
  if (json) return printJson(io, answer)
  print(io, renderProject(io, answer.product, context.now()))
}

function renderProject(io: Io, product: ProjectDetail, now: number): string {
  const { color } = io
  const lines: [string, string][] = [
    ['Category', `${product.category}, ${product.cncf_status}`],
    ['Home', product.homepage],
    ['Docs', product.docs_url],
    ['Repository', product.repo_url],
    ['Charts', product.helm_chart_repo ?? ''],
    ['Releases', describe(io, product.releases.app, now)],
    ['Chart releases', describe(io, product.releases.helm, now)],
    ['Pre-releases', describe(io, product.releases.pre, now)],
  ]
  return [
    `${color.bold(plain(product.name))} ${color.dim(`(${product.id})`)}\n${plain(product.description)}\n\n`,
    ...lines.filter(([, text]) => text).map(([label, text]) => `  ${color.dim(label.padEnd(16))}${plain(text)}\n`),
  ].join('')
}

function describe({ isTerminal }: Io, releases: Release[], now: number): string {
  return releases
    .slice(0, 3)
    .map((release) => `${release.version} (${when(release.published_at, { isTerminal, now })})`)
    .join(', ')
}
