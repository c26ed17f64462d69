import type { ReceivedProjectDetail } from '../../../contract/received/catalog.ts'
import { ReltError } from '../../../errors.ts'
import { openPage, webAddress } from '../../output/open-page.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { chooseProject, resolveProject } from './resolve.ts'

const pages = { home: 'homepage', docs: 'docs_url', repo: 'repo_url' } as const

const options = {
  '--page <page>': { help: 'page to open (default: the first available)', choices: ['home', 'docs', 'repo'] },
  '--print': 'print the URL instead of opening it',
} as const

type OpenOptions = OptionsOf<typeof options>

export default verb({
  name: 'open',
  summary: 'Open a web page of a project in the browser',
  examples: [
    'relt projects open argo-cd',
    'relt projects open argo-cd --page docs',
    'relt projects open argo-cd --page repo --print',
  ],
  args: [['[project]', 'slug, name or id']],
  options,
  run: async (cli, typed, { page, print }) => {
    const client = await cli.context.client()
    const id = await resolveProject(cli, typed ?? (await chooseProject(cli)))
    const { product } = await client.call('getProject', { params: { id } })
    const url = toAddress(product, page)
    if (print || cli.json || !cli.io.isTerminal) return show(cli, { body: { url }, text: () => `${url}\n` })
    await openPage(cli.context, url)
    say(cli, `Opened ${url}`)
  },
})

function toAddress(product: ReceivedProjectDetail, page: OpenOptions['page']): string {
  const wanted = page ? [pages[page]] : (['homepage', 'repo_url', 'docs_url'] as const)
  for (const name of wanted) {
    const url = webAddress(product[name] ?? '')
    if (url) return url
  }
  throw new ReltError('not_found', `${product.name} has no such page.`, {
    hint: 'Try another: --page home, docs, repo',
  })
}
