import type { OwnProjectInput } from '../../../admin/catalog.ts'
import { cncfStatuses } from '../../../contract/choices.ts'
import { defined } from '../../../util/defined.ts'
import { readSecret, secretFile } from '../../input/secret.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

export const projectOptions = {
  '--repo <url>': 'repository on GitHub or on a host in RELT_GITHUB_HOSTS',
  '--charts <url>': 'Helm repository, or oci://registry/path',
  '--chart <name...>': 'names of its charts',
  '--image <repository...>': 'images tagged with its versions',
  '--tag-pattern <regex>': 'pattern of its tags; group 1 is the version, as in controller-v(.*)',
  '--eol-product <name>': 'product name at endoflife.date, for the end of support',
  '--description <text>': 'description',
  '--category <text>': 'category, such as Networking',
  '--cncf-status <status>': { help: 'CNCF status', choices: cncfStatuses },
  '--homepage <url>': 'homepage',
  '--docs <url>': 'documentation',
  ...secretFile('access token, which goes into the keychain,'),
} as const

export type ProjectOptions = OptionsOf<typeof projectOptions>

/** Given values only; an empty text clears a field. */
export function projectInput(options: ProjectOptions): OwnProjectInput {
  const { description, category, cncfStatus, homepage, docs, repo, charts, chart, image, tagPattern, eolProduct } =
    options
  return defined({
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
  })
}

export async function tokenFor(cli: Cli, options: ProjectOptions) {
  const { secretFile: file } = options
  return file === undefined ? undefined : (await readSecret(cli, file, 'token')).trim()
}
