import type { OwnerRule } from '../../../contract/ownership.ts'
import { ReltError } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import { parseYaml } from '../../input/parse-yaml.ts'
import { readText } from '../../input/read-text.ts'
import { member, show } from '../../output/output.ts'
import { noun, verb } from '../../program/verb.ts'

const list = verb({
  name: 'list',
  summary: 'List who owns which workloads',
  examples: ['relt owners list', 'relt owners list -o yaml > owners.yaml'],
  run: async (cli) => {
    const found = await cli.call('getOwners', {})
    const { owners, changed_at, changed_by } = found
    await show(cli, {
      body: found,
      rows: owners,
      columns: () => [
        { title: titles.owner, value: member('owner'), min: 8 },
        { title: titles.contact, value: ({ contact }) => contact ?? null },
        { title: titles.cluster, value: ({ cluster }) => cluster ?? null },
        { title: titles.namespace, value: ({ namespace }) => namespace ?? null },
        { title: titles.workload, value: ({ workload }) => workload ?? null },
      ],
      empty: 'No owners are set. Set them: relt owners set owners.yaml',
      note: changed_at === null ? [] : [`Set by ${changed_by} at ${changed_at}. The last rule that matches counts.`],
    })
  },
})

const set = verb({
  name: 'set',
  summary: 'Set who owns which workloads, by a file of patterns',
  examples: ['relt owners set owners.yaml', 'relt owners set - --team platform'],
  args: [['<file>', 'YAML file with a list under the key owners, or - for standard input']],
  run: async (cli, file) => {
    const owners = readOwners(await readText(cli.context, file), file)
    const saved = await cli.call('setOwners', { body: { owners: owners as OwnerRule[] } })
    await show(cli, {
      body: saved,
      text: () => `${count(saved.owners.length, 'rule')} set. The last one that matches counts.\n`,
    })
  },
})

const hint = 'Write a list such as:\n  owners:\n    - owner: payments\n      namespace: pay-*'

/** The server validates the rules. */
function readOwners(text: string, file: string): unknown[] {
  const document = parseYaml(text, file, hint)
  const owners = isObject(document) ? document.owners : undefined
  if (!Array.isArray(owners)) throw new ReltError('invalid_param', `${file} has no list of owners.`, { hint })
  return owners
}

export default noun({
  examples: ['relt owners set owners.yaml', 'relt owners list', 'relt owners list --team platform'],
  verbs: [list, set],
})
