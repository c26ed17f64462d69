import { writeFileSync } from 'node:fs'
import { unwritable } from '../../../util/file-error.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { count } from '../../../util/words.ts'
import { member, show } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'
import { sayDone, warn } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { clusterOptions, names } from './options.ts'

export default verb({
  name: 'inventory',
  summary: 'List images and Helm charts running in the cluster',
  examples: [
    'relt scan inventory',
    'relt scan inventory --context prod-eu',
    'relt scan inventory --out inventory.json --exclude-namespaces kube-system,kube-public',
  ],
  options: {
    ...clusterOptions,
    '--out <file>': 'write it to a file for `relt reports upload`',
    '--exclude-namespaces <names>': { help: 'namespaces to skip, separated by commas', parse: names },
  },
  run: async (cli, { out, context: chosen, excludeNamespaces: excludedNamespaces, ...options }) => {
    const { io, context } = cli
    const { takeInventory, toReport } = await import('../../../scan/take-inventory.ts')
    const { KubeCluster } = await import('../../../kube/cluster.ts')
    const taken = await withProgress(io, 'Asking the cluster what runs there', () =>
      interruptible(async (signal) => {
        await using cluster = new KubeCluster({ env: context.env, context: chosen, signal })
        return takeInventory(cluster, { ...options, excludedNamespaces })
      }),
    )
    const { inventory, warnings } = taken
    for (const warning of warnings) warn(io, warning)
    const report = toReport(taken, { excludedNamespaces, at: context.now(), noChecks: 'it is an inventory' })
    if (out !== undefined) {
      write(out, report)
      const { images, helmCharts } = inventory
      return sayDone(cli, `Wrote ${out}: ${count(images.length, 'image')}, ${count(helmCharts.length, 'Helm chart')}`, {
        file: out,
        images: images.length,
        helm_charts: helmCharts.length,
      })
    }
    await show(cli, {
      body: JSON.parse(report.toString()),
      rows: inventory.images,
      columns: () => [
        { title: 'NAMESPACE', value: member('namespace') },
        { title: 'WORKLOAD', value: ({ workloadKind: kind, workloadName }) => `${kind.toLowerCase()}/${workloadName}` },
        { title: 'IMAGE', value: member('fullRef') },
        { title: 'CHART', value: ({ helmChartName }) => helmChartName ?? '' },
      ],
      empty: 'Nothing runs there, or you may not read it.',
    })
  },
})

function write(file: string, text: Uint8Array) {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw unwritable(file, cause, 'Choose another file with --out.')
  }
}
