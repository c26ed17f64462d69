import { writeFileSync } from 'node:fs'
import { unwritable } from '../../../util/file-error.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { count } from '../../../util/words.ts'
import { member, show } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'
import { sayDone, warn } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { names } from './options.ts'

export default verb({
  name: 'inventory',
  summary: 'List images and Helm charts running in the cluster',
  examples: [
    'relt scan inventory',
    'relt scan inventory --context prod-eu',
    'relt scan inventory --out inventory.json --exclude-namespaces kube-system,kube-public',
  ],
  options: {
    '--context <name>': 'context of kubectl (default: the current one)',
    '--deprecated-apis': "ask the API server's metrics which deprecated APIs are requested; needs a role of its own",
    '--out <file>': 'write it to a file for `relt scan run --inventory`',
    '--exclude-namespaces <names>': { help: 'namespaces to skip, separated by commas', parse: names },
  },
  run: async (cli, { out, context: kubeContext, deprecatedApis, excludeNamespaces = [] }) => {
    const { io, context } = cli
    const { takeInventory } = await import('../../../scan/take-inventory.ts')
    const { inventory, warnings } = await withProgress(io, 'Asking the cluster what runs there', () =>
      interruptible((signal) =>
        takeInventory({
          env: context.env,
          context: kubeContext,
          deprecatedApis,
          signal,
          excludedNamespaces: excludeNamespaces,
        }),
      ),
    )
    for (const warning of warnings) warn(io, warning)
    if (out !== undefined) {
      write(out, JSON.stringify(inventory))
      const { images, helmCharts } = inventory
      return sayDone(cli, `Wrote ${out}: ${count(images.length, 'image')}, ${count(helmCharts.length, 'Helm chart')}`, {
        file: out,
        images: images.length,
        helm_charts: helmCharts.length,
      })
    }
    await show(cli, {
      body: inventory,
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

function write(file: string, text: string) {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw unwritable(file, cause, 'Choose another file with --out.')
  }
}
