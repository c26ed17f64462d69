import type { ReceivedStats } from '../../../contract/received/catalog.ts'
import { number } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { catalogRemark, note, securityRemarks, staleProjectsRemark } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  examples: ['relt stats', 'relt stats --json'],
  run: async (cli) => {
    const stats = await cli.call('getStats', {})
    const { catalog_date, stale_projects, total_projects, total_security_fixes } = stats
    await show(cli, {
      body: stats,
      text: () => renderStats(stats),
      remarks: [
        // Sources may be newer than the catalog, so the server's count of stale projects is used if present.
        stale_projects === undefined
          ? catalogRemark(catalog_date, cli.context.now())
          : note(`Facts of ${catalog_date}.`),
        stale_projects && staleProjectsRemark(stale_projects, total_projects),
        ...securityRemarks({ projects: total_projects, known: total_security_fixes > 0 ? total_projects : 0 }),
      ],
    })
  },
})

function renderStats(stats: ReceivedStats) {
  const lines: [string, number | null][] = [
    ['Projects', stats.total_projects],
    ['Releases', stats.total_releases],
    ['  in the last 7 days', stats.releases_last_7d],
    ['  in the last 30 days', stats.releases_last_30d],
    ['  in the last 90 days', stats.releases_last_90d],
    ['Security fixes', stats.total_security_fixes],
  ]
  const numbers = lines.map(
    ([label, count]) => `${label.padEnd(24)}${(count === null ? '-' : number(count)).padStart(8)}\n`,
  )
  return numbers.join('')
}
