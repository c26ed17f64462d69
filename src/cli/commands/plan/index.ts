import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { defaultFile, readWantedFile } from '../../input/read-wanted-file.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newNoun } from '../../program/command.ts'
import { countActions, foundActions, printUnset } from './view.ts'

export interface PlanOptions {
  file: string
  prune?: boolean
}

export function createCommand(context: Context, run = runPlan): Command {
  return newNoun('plan', [
    'relt plan',
    'relt plan -f team/relt.yaml --prune',
    "relt plan --json | jq '.actions[].name'",
  ])
    .option('-f, --file <file>', 'file to compare; - for standard input', defaultFile)
    .option('--prune', 'include what `relt apply --prune` would remove')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runPlan(cli: Cli, { file, prune = false }: PlanOptions): Promise<void> {
  const { context } = cli
  const wanted = await readWantedFile(context, file)
  const { makePlan } = await import('../../../declarative/plan.ts')
  const plan = await makePlan(await context.client(), wanted, { prune, variables: context.env })
  printUnset(cli, plan)
  const { actions } = plan
  const note = actions.length > 0 && {
    note: `${countActions(actions)}. Nothing has changed yet. Run \`relt apply\` to apply them.`,
  }
  await show(cli, { ...foundActions({ actions, applied: 0 }, wanted.source.name), ...note })
}
