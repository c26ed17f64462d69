import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import list from './list.ts'
import { openSpool } from './open.ts'
import { requireIds } from './require-ids.ts'
import send from './send.ts'

const drop = verb({
  name: 'drop',
  summary: 'Delete queued uploads without sending them',
  examples: ['relt spool drop spl_0m9x2k4fd1c0ffee2', 'relt spool drop --refused --yes'],
  args: [['[id...]', 'ids (default: all)']],
  options: {
    '--refused': 'only uploads that their servers refused',
    ...yesOption,
  },
  run: async (cli, ids, { refused = false, yes }) => {
    const spool = openSpool(cli)
    requireIds(spool, ids)
    const usage = spool.usage()
    const count = ids.length || (refused ? usage.refused : usage.waiting + usage.refused + usage.broken)
    if (count > 0) {
      const what = count === 1 ? 'one unsent upload' : `${count} unsent uploads`
      await confirm(cli, { yes }, `Permanently delete ${what}?`)
    }
    const dropped = await spool.alone(async () => {
      const states = refused ? (['refused'] as const) : (['waiting', 'refused', 'broken'] as const)
      const chosen = ids.length > 0 ? ids : states.flatMap((state) => [...spool.ids(state)])
      for (const id of chosen) spool.remove(id)
      return chosen
    })
    await sayDone(cli, `Deleted ${dropped.length}`, { success: true, dropped })
  },
})

export default noun({
  examples: ['relt spool list', 'relt spool send'],
  verbs: [list, send, drop],
})
