import { type Command, Option } from 'commander'
import type { OwnProjectInput } from '../../../admin/catalog.ts'
import { cncfStatuses } from '../../../contract/choices.ts'
import type { CncfStatus } from '../../../contract/project.ts'
import { addSecretFile, readSecret, secretFileOf } from '../../input/secret.ts'
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
  secretFile?: string
  tokenStdin?: boolean
}

export function addProjectOptions(command: Command): Command {
  command
    .option('--repo <url>', 'repository on GitHub or on a host in RELT_GITHUB_HOSTS')
    .option('--charts <url>', 'Helm repository, or oci://registry/path')
    .option('--chart <name...>', 'names of its charts')
    .option('--image <repository...>', 'images tagged with its versions')
    .option('--tag-pattern <regex>', 'pattern of its tags; group 1 is the version, as in controller-v(.*)')
    .option('--eol-product <name>', 'product name at endoflife.date, for the end of support')
    .option('--description <text>', 'description')
    .option('--category <text>', 'category, such as Networking')
    .addOption(new Option('--cncf-status <status>', 'CNCF status').choices(cncfStatuses))
    .option('--homepage <url>', 'homepage')
    .option('--docs <url>', 'documentation')
  return addSecretFile(command, 'access token, which goes into the keychain,', '--token-stdin')
}

/** Given values; an empty text clears a field. */
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

export async function tokenOf(cli: CatalogCli, options: ProjectOptions): Promise<string | undefined> {
  const file = secretFileOf(options, options.tokenStdin)
  return file === undefined ? undefined : (await readSecret(cli, file, 'token')).trim()
}
