import { count } from '../../../../util/words.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export const run = verb({
  name: 'run',
  summary: 'Delete runs, deliveries and audit entries past their retention',
  examples: ['relt admin retention run', 'relt admin retention run --data /var/lib/relt'],
  run: async (cli) => {
    const { days, removed } = await (await openAdmin(cli)).applyRetention()
    for (const [kind, one, many] of names) {
      const deleted = removed[kind]
      const message =
        days[kind] === 0
          ? `Nothing to delete: ${many}`
          : `Deleted ${count(deleted, one, many)} older than ${days[kind]} days`
      say(cli, message)
    }
    await show(cli, { body: { success: true, days, removed } })
  },
})

const names = [
  ['runs', 'run', 'runs'],
  ['deliveries', 'delivery', 'deliveries'],
  ['audit', 'audit entry', 'audit entries'],
] as const

export default noun({
  name: 'retention',
  summary: 'Apply the RELT_RETENTION_DAYS settings',
  examples: ['relt admin retention run'],
  verbs: [run],
})
