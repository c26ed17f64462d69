import { ReltError } from '../../../errors.ts'
import { nearest } from '../../../util/nearest-word.ts'
import { count } from '../../../util/words.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { noun, verb } from '../../program/verb.ts'
import { loadAllClusters, toName } from '../clusters/load.ts'

const placeOptions = {
  '-c, --cluster <name>': 'cluster of the subject',
  '-e, --environment <name>': 'environment of the cluster',
} as const

/** The latest runs about subjects of clusters. */
async function loadSubjects(cli: Cli, place: { cluster?: string; environment?: string }) {
  const { cluster: cluster_name, environment } = place
  const { items, first } = await loadAllClusters(cli, {
    ...(cluster_name && { cluster_name }),
    ...(environment && { environment }),
  })
  if (first.is_sketch) throw new ReltError('not_found', 'The server does not say what its reports are about.')
  return items.flatMap((each) =>
    (each.scanners ?? []).flatMap(({ format, subject, last_scan, latest_run }) =>
      subject === undefined
        ? []
        : {
            cluster: toName(each),
            scanner: format,
            subject,
            last_scan,
            run_id: latest_run?.run_id ?? null,
            findings: latest_run?.findings.total ?? null,
          },
    ),
  )
}

const list = verb({
  name: 'list',
  summary: 'List the images, folders, tools and benchmarks that clusters have reports about',
  examples: ['relt subjects list', 'relt subjects list --cluster prod-eu'],
  options: placeOptions,
  run: async (cli, options) => {
    const rows = await loadSubjects(cli, options)
    await show(cli, {
      body: { success: true, items: rows },
      rows,
      columns: () => [
        { title: titles.subject, value: member('subject'), min: 16 },
        { title: titles.scanner, value: member('scanner') },
        { title: titles.cluster, value: member('cluster'), min: 8 },
        { title: titles.scanned, value: member('last_scan') },
        { title: titles.findings, value: member('findings'), align: 'right' },
      ],
      empty: 'All reports are about clusters themselves.',
    })
  },
})

const end = verb({
  name: 'end',
  summary: 'End what is no longer part of a cluster, such as an image that was replaced',
  examples: ['relt subjects end "shop/db linux/amd64 debian" --reason "The database moved to a service"'],
  args: [['<name>', 'its name: relt subjects list']],
  options: { ...placeOptions, '--reason <text>': { help: 'why, for those who miss its findings', required: true } },
  run: async (cli, name, { reason, ...place }) => {
    const all = await loadSubjects(cli, place)
    const [only, ...others] = all.filter(({ subject, run_id }) => subject === name && run_id !== null)
    if (!only) {
      const meant = nearest(
        name,
        all.map(({ subject }) => subject),
      )
      throw new ReltError('not_found', `No subject named "${name}".`, {
        hint: meant ? `Did you mean ${meant}?` : 'They are in: relt subjects list',
      })
    }
    if (others.length > 0) {
      throw new ReltError('usage', `Several clusters or scanners have ${name}.`, {
        hint: 'Choose with --cluster and --environment.',
      })
    }
    const ended = await cli.call('endSubject', { params: { run_id: only.run_id! }, body: { reason } })
    const { total, critical } = ended.findings
    await sayDone(cli, `Ended ${name}: ${count(total, 'finding')}, ${critical} critical`, ended)
  },
})

export default noun({
  examples: ['relt subjects list', 'relt subjects end shop/db --reason "Replaced"'],
  verbs: [list, end],
})
