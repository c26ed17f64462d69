import { isDeepStrictEqual } from 'node:util'
import type { Action } from '../../../declarative/action.ts'
import type { ActionPlan } from '../../../declarative/plan.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { confirm, yesOption } from '../../input/prompt.ts'
import { defaultFile, readWantedFile } from '../../input/read-wanted-file.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { clientOfFile } from '../teams/current.ts'
import { countActions, foundActions, printUnset, renderAction, toName } from './view.ts'

export default verb({
  examples: [
    'relt apply --dry-run',
    'relt apply -f team/relt.yaml --prune',
    "relt apply --dry-run --json | jq '.actions[].name'",
    'relt apply --prune --yes --json',
  ],
  options: {
    '-f, --file <file>': { help: 'file to apply; - for standard input', default: defaultFile },
    '--prune': 'remove items missing from the sections of the file',
    '--dry-run': 'show what would change, and change nothing',
    ...yesOption,
  },
  run: async (cli, { file, prune = false, dryRun = false, yes }) => {
    const { context, io, json } = cli
    const wanted = await readWantedFile(context, file)
    const [{ makePlan }, { applyActions }, client] = await Promise.all([
      import('../../../declarative/plan.ts'),
      import('../../../declarative/apply.ts'),
      clientOfFile(cli, wanted.wanted.team),
    ])
    const look = () => makePlan(client, wanted, { prune, variables: context.env })
    const plan = await look()
    if (dryRun) return showPlan(cli, plan, wanted.source.name)
    checkVariables(plan)
    const { actions } = plan
    if (!yes && (await askToRemove(cli, actions))) checkUnchanged(actions, (await look()).actions)
    const { applied, failure } = await applyActions(client, actions)
    await show(cli, foundActions({ actions, applied, failure }, wanted.source.name))
    if (applied < actions.length) {
      if (!json)
        io.err(`Stopped at ${plain(toName(actions[applied]!))}. Applied ${applied} of ${actions.length} changes.\n`)
      throw failure
    }
    if (applied > 0) say(cli, `${applied} done`)
  },
})

async function showPlan(cli: Cli, plan: ActionPlan, source: string) {
  printUnset(cli, plan)
  const { actions } = plan
  const note = `${countActions(actions)}. Nothing has changed yet. Run \`relt apply\` to apply them.`
  await show(cli, { ...foundActions({ actions, applied: 0 }, source), note: actions.length > 0 && note })
}

function checkVariables({ unset }: ActionPlan) {
  if (unset.length === 0) return
  throw new ReltError('usage', `Environment variables not set: ${unset.join(', ')}`, {
    hint: 'The file reads webhooks from them.',
  })
}

/** Returns whether it asked for confirmation. Throws without a terminal, or if the answer is no. */
async function askToRemove({ io, json }: Cli, actions: Action[]) {
  const removed = actions.filter(({ change }) => change === 'remove')
  if (removed.length === 0) return false
  if (!io.isInteractive) {
    throw new ReltError('usage', `This would remove ${removed.map(toName).join(', ')}.`, {
      hint: 'Add --yes to confirm.',
    })
  }
  if (!json) io.err(removed.map((action) => renderAction({ color: io.errColor }, action)).join(''))
  await confirm({ io }, {}, `Permanently remove ${removed.length === 1 ? 'this' : `these ${removed.length}`}?`)
  return true
}

/** The plan may have changed while the user was deciding. */
function checkUnchanged(shown: Action[], now: Action[]) {
  if (isDeepStrictEqual(shown, now)) return
  throw new ReltError('busy', 'The account has changed since the plan was shown.', {
    hint: 'Run `relt apply --prune --dry-run` to see the new plan.',
  })
}
