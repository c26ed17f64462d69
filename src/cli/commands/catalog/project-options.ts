import { type Command, Option } from 'commander'
import type { OwnProjectInput } from '../../../admin/catalog.ts'
import { cncfStatuses } from '../../../contract/choices.ts'
import type { CncfStatus } from '../../../contract/project.ts'
import { readFirstLine } from '../../input/first-line.ts'
import type { CatalogCli } from './command.ts'

export interface ProjectOptions {
  description?: string
  category?: string
  cncfStatus?: CncfStatus
  homepage?: string
  docs?: string
  repo?: string
  charts?: string
  chart?: string[]
  image?: string[]
  tagPattern?: string
  eolProduct?: string
  tokenStdin?: boolean
}

export function addProjectOptions(command: Command): Command {
  return command
    .option('--repo <url>', 'repository on GitHub, or at a host of RELT_GITHUB_HOSTS')
    .option('--charts <url>', 'Helm repository, or oci://registry/path')
    .option('--chart <name...>', 'charts of the project')
    .option('--image <repository...>', 'images whose tags follow its versions')
    .option('--tag-pattern <regex>', 'of its tags; group 1 is the version: controller-v(.*)')
    .option('--eol-product <name>', 'its name at endoflife.date, which tells when support ends')
    .option('--description <text>', 'what it is')
    .option('--category <text>', 'such as Networking')
    .addOption(new Option('--cncf-status <status>', 'its place in the CNCF').choices(cncfStatuses))
    .option('--homepage <url>', 'for people')
    .option('--docs <url>', 'its documentation')
    .option('--token-stdin', 'take the token for it from standard input, and keep it in the keychain')
}

/** What was given; an empty text clears. */
export function projectInput(options: ProjectOptions): OwnProjectInput {
  const { description, category, cncfStatus, homepage, docs, repo, charts, chart, image, tagPattern, eolProduct } =
    options
  const given = {
    description,
    category,
    cncf_status: cncfStatus,
    homepage,
    docs_url: docs,
    repo_url: repo,
    helm_chart_repo: charts === '' ? null : charts,
    tag_pattern: tagPattern === '' ? null : tagPattern,
    eol_product: eolProduct === '' ? null : eolProduct,
    helm_chart_names: chart?.filter((name) => name !== ''),
    image_repositories: image?.filter((name) => name !== ''),
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

export async function tokenOf({ context }: CatalogCli, { tokenStdin }: ProjectOptions): Promise<string | undefined> {
  return tokenStdin ? (await readFirstLine(context.stdin, 'token')).trim() : undefined
}
