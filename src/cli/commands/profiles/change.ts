import { InvalidArgumentError } from 'commander'
import { providers } from '../../../contract/choices.ts'
import type { ClusterConfigChange } from '../../../contract/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import { defined } from '../../../util/defined.ts'
import { isObject } from '../../../util/json.ts'
import { readText } from '../../input/read-text.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'

export const changeOptions = {
  '--cluster <name>': 'name of the cluster, as in its reports',
  '--provider <provider>': { help: 'Kubernetes provider', choices: providers },
  '--notes <text>': 'free-text notes',
  '--set <path=value...>': {
    help: 'a setting, such as radar.environment=prod; an empty value removes it',
    parse: checkAssignment,
  },
  '--from <file>': 'read the profile from YAML or JSON; - for standard input',
} as const

/** Values from a file, overridden by other options; `settings` are the current ones. */
export async function toChange(
  cli: Cli,
  { cluster, provider, notes, set, from }: OptionsOf<typeof changeOptions>,
  settings: unknown = {},
): Promise<ClusterConfigChange> {
  const document = from === undefined ? {} : await readFrom(cli, from)
  const change = { ...document, ...defined({ cluster_name: cluster, provider, notes }) }
  if (!set) return change
  const changed = structuredClone(document.settings ?? settings)
  for (const assignment of set) await assign(changed, assignment)
  return { ...change, settings: changed as NonNullable<ClusterConfigChange['settings']> }
}

async function readFrom(cli: Cli, file: string) {
  const { readDocument } = await import('./document.ts')
  return readDocument(await readText(cli.context, file), file === '-' ? 'Standard input' : file)
}

const assignmentPattern = /^([A-Za-z]\w*(?:\.[A-Za-z]\w*)*)=(.*)$/s

function checkAssignment(text: string, before: string[] = []) {
  if (assignmentPattern.test(text)) return [...before, text]
  throw new InvalidArgumentError('Use PATH=VALUE, such as radar.environment=prod.')
}

/** Parses values as YAML: `true`, `5`, `[kube-system, argocd]`. */
async function assign(settings: unknown, assignment: string) {
  const [, path, text] = assignmentPattern.exec(assignment)!
  const { parseYaml } = await import('./document.ts')
  const value = parseYaml(text!, `The value of ${path}`)
  const above = path!.split('.')
  const last = above.pop()!
  let parent = settings
  for (const name of above) {
    if (!isObject(parent)) break
    if (!Object.hasOwn(parent, name)) parent[name] = {}
    parent = parent[name]
  }
  if (!isObject(parent)) throw new ReltError('usage', `${above.join('.')} is a value and cannot contain ${last}.`)
  if (value === null) delete parent[last]
  else parent[last] = value
}
