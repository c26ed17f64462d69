import type { OwnerRule } from '../../../contract/ownership.ts'
import { ReltError } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'
import { count } from '../../../util/words.ts'
import { parseYaml } from '../../input/parse-yaml.ts'
import { readText } from '../../input/read-text.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'set',
  summary: 'Set who owns which workloads, by a file of patterns',
  examples: ['relt owners set owners.yaml', 'relt owners set - --team platform'],
  args: [['<file>', 'YAML file with a list under the key owners, or - for standard input']],
  run: async (cli, file) => {
    const owners = readOwners(await readText(cli.context, file), file)
    const client = await cli.context.client()
    const saved = await client.call('setOwners', { body: { owners: owners as OwnerRule[] } })
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
