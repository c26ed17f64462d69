import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import type { ReceivedProjectDetail } from '../../../contract/received/catalog.ts'
import { ReltError } from '../../../errors.ts'
import { openPage, webAddress } from '../../output/open-page.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseProject, resolveProject } from './resolve.ts'

const pages = { home: 'homepage', docs: 'docs_url', repo: 'repo_url' } as const

export interface OpenOptions {
  page?: keyof typeof pages
  print?: boolean
}

export function createCommand(context: Context, run = runOpen): Command {
  return newCommand('open', 'Open a web page of a project in the browser', [
    'relt projects open argo-cd',
    'relt projects open argo-cd --page docs',
    'relt projects open argo-cd --page repo --print',
  ])
    .argument('[project]', 'slug, name or id')
    .addOption(
      new Option('--page <page>', 'page to open (default: the first available)').choices(['home', 'docs', 'repo']),
    )
    .option('--print', 'print the URL instead of opening it')
    .action((project, options, command) => run(cliOf(context, command), project, options))
}

export async function runOpen(cli: Cli, typed: string | undefined, { page, print }: OpenOptions): Promise<void> {
  const client = await cli.context.client()
  const id = await resolveProject(cli, typed ?? (await chooseProject(cli)))
  const { product } = await client.call('getProject', { params: { id } })
  const url = addressOf(product, page)
  if (print || cli.json || !cli.io.isTerminal) return show(cli, { body: { url }, text: () => `${url}\n` })
  await openPage(cli.context, url)
  say(cli, `Opened ${url}`)
}

function addressOf(product: ReceivedProjectDetail, page: OpenOptions['page']): string {
  const wanted = page ? [pages[page]] : (['homepage', 'repo_url', 'docs_url'] as const)
  for (const name of wanted) {
    const url = webAddress(product[name] ?? '')
    if (url) return url
  }
  throw new ReltError('not_found', `${product.name} has no such page.`, {
    hint: 'Try another: --page home, docs, repo',
  })
}
