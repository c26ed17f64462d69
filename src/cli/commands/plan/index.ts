import { defaultFile, readWantedFile } from '../../input/read-wanted-file.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { clientOfFile } from '../teams/current.ts'
import { countActions, foundActions, printUnset } from './view.ts'

export default verb({
  examples: ['relt plan', 'relt plan -f team/relt.yaml --prune', "relt plan --json | jq '.actions[].name'"],
  options: {
    '-f, --file <file>': { help: 'file to compare; - for standard input', default: defaultFile },
    '--prune': 'include what `relt apply --prune` would remove',
  },
  epilog: 'This is about `relt apply`. To plan an upgrade of Kubernetes, see `relt upgrade plan`.',
  run: async (cli, { file, prune = false }) => {
    const { context } = cli
    const wanted = await readWantedFile(context, file)
    const { makePlan } = await import('../../../declarative/plan.ts')
    const plan = await makePlan(await clientOfFile(cli, wanted.wanted.team), wanted, { prune, variables: context.env })
    printUnset(cli, plan)
    const { actions } = plan
    const note = actions.length > 0 && {
      note: `${countActions(actions)}. Nothing has changed yet. Run \`relt apply\` to apply them.`,
    }
    await show(cli, { ...foundActions({ actions, applied: 0 }, wanted.source.name), ...note })
  },
})
