import { planNames } from '../../../../config/plans.ts'
import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { planFor, planWords } from '../plan.ts'

export default verb({
  name: 'set-plan',
  summary: 'Change the plan of a user',
  examples: ['relt admin users set-plan ada pro-plus', 'relt admin users set-plan ada free'],
  args: [
    ['<name>', 'login name'],
    ['<plan>', 'plan of the user', { choices: planWords }],
  ],
  run: async (cli, login, plan) => {
    const account = await (await openAdmin(cli)).setPlan(login, planFor(plan))
    await sayDone(cli, `Changed the plan of ${login} to ${planNames[account.plan]}`, account)
  },
})
