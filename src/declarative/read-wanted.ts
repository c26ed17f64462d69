import { isMap, isNode, isScalar } from 'yaml'
import { settingNames } from '../contract/setting-names.ts'
import { WantedState, wantedKeys } from '../contract/wanted-state.ts'
import { nameKey as toKey } from '../util/pick-named.ts'
import { checkOnce, reportIssues, reportUnknown } from './report-issues.ts'
import { YamlSource } from './source.ts'
import { membersFor, YamlValues } from './yaml-value.ts'

/** Key of the gate's policy in the same file. Gates read it there; for a team it is also stored. */
const othersKey = 'gate'

export interface WantedFile {
  wanted: WantedState
  /** The gate's policy in a file of a team, as YAML. */
  policy?: string | undefined
  /** To report lines of problems found later. */
  source: YamlSource
}

/** Parses the desired state in a file. Throws `usage` with all problems and their lines. */
export function readWanted(yaml: string, name: string): WantedFile {
  const source = new YamlSource(yaml, name)
  const values = toValues(source)
  source.throwProblems()
  const { success, data, error } = WantedState.safeParse(values)
  reportIssues(source, error?.issues ?? [], ([part]) => wantedKeys[String(part ?? '')]!)
  if (success) checkNames(source, data)
  source.throwProblems()
  return { wanted: data!, source, ...(data!.team !== undefined && { policy: policyIn(source, yaml) }) }
}

function toValues(source: YamlSource): Record<string, unknown> {
  const root = source.document.contents
  if (root === null) return {}
  const values = new YamlValues(source)
  const members = [...membersFor(source, root)].filter(([name]) => name !== othersKey)
  return Object.fromEntries(members.map(([name, node]) => [name, values.valueOf(node)]))
}

/** The key `gate` with its value, as in the file or stored policy; undefined without one. */
export function policySection(yaml: string) {
  return policyIn(new YamlSource(yaml, 'the policy'), yaml)
}

function policyIn({ document }: YamlSource, yaml: string) {
  if (!isMap(document.contents)) return undefined
  const pair = document.contents.items.find(({ key }) => isScalar(key) && key.value === othersKey)
  if (!pair || !isNode(pair.key) || !isNode(pair.value)) return undefined
  return `${yaml.slice(pair.key.range![0], pair.value.range![1])}\n`
}

/** Checks beyond the schemas: unique names, and known scan settings. */
function checkNames(source: YamlSource, { labels, profiles }: WantedState) {
  checkOnce(source, 'labels', labels ?? [], toKey)
  checkOnce(source, 'profiles', profiles ?? [], (name) => name)
  for (const [index, { settings = {} }] of (profiles ?? []).entries()) {
    const path = ['profiles', index, 'settings']
    for (const [name, value] of Object.entries(settings)) {
      const members = settingNames.get(name)
      if (!settingNames.has(name)) reportUnknown(source, [...path, name], [...settingNames.keys()])
      for (const member of members ? Object.keys(value as object) : []) {
        if (!members!.includes(member)) reportUnknown(source, [...path, name, member], members!)
      }
    }
  }
}
