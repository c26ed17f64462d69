import type { UpgradePlan } from '../../../contract/upgrade.ts'
import { drawColumns } from '../../../render/terminal/draw.ts'
import { version } from '../../../version.ts'
import { plainText } from '../../../views/said.ts'
import { basisNote, planHeadline, stepColumns } from '../../../views/upgrade.ts'
import { show } from '../../output/output.ts'
import { catalogRemark, note } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { aboutCluster, clusterOptions, clusterQuery } from '../reports/cluster.ts'
import { chooseOneCluster } from '../reports/one-cluster.ts'
import { planFleet } from './fleet.ts'
import { stepsOfOwner } from './owned.ts'
import { renderPlan } from './render-plan.ts'

export default verb({
  name: 'plan',
  summary: 'Plan the upgrade of a cluster to another Kubernetes, in order',
  examples: [
    'relt upgrade plan',
    'relt upgrade plan --cluster shop --to 1.36',
    'relt upgrade plan --to latest --explain',
    'relt upgrade plan --to supported -o markdown',
    'relt upgrade plan --all --to 1.36',
    'relt upgrade plan --owner payments',
    'relt upgrade plan keda cert-manager --to 1.36 --explain',
  ],
  args: [['[projects...]', 'slugs of the only projects to plan for (default: all that run)']],
  options: {
    ...clusterOptions(),
    '--to <version>': 'version of Kubernetes, `latest` or `supported` (default: the next minor version)',
    '--all': 'plan all clusters, each step once',
    '--label <label>': 'plan the clusters with this label, each step once',
    '--owner <name>': 'show only steps of this owner, by `relt owners`; - for those that nobody owns',
    '--sarif <file>': 'write the reasons of the verdict as SARIF 2.1.0',
    '--explain': 'show what breaks, the way back and the facts behind each step',
  },
  run: async (cli, projects, options) => {
    const { to, explain = false } = options
    if (options.all || options.label) return planFleet(cli, projects, options)
    const chosen = await chooseOneCluster(cli, options, 'all with --all')
    const only = projects.length > 0 && { projects: projects.join(',') }
    const query = { ...clusterQuery(chosen), ...(to && { to }), ...only }
    const whole = await aboutCluster(cli, chosen, cli.call('getUpgradePlan', { query }))
    if (options.sarif) await writeSarif(cli, whole, options.sarif)
    const { answer: plan, notes } = stepsOfOwner(whole, options.owner)
    await show(cli, {
      body: plan,
      rows: plan.steps,
      columns: (io) => drawColumns(io, stepColumns),
      text: (io) => renderPlan(io, plan, explain),
      headline: planHeadline(plan),
      remarks: [note(`${plainText(basisNote(plan))}.`), ...notes, catalogRemark(plan.catalog_date, cli.context.now())],
    })
  },
})

async function writeSarif(cli: Cli, plan: UpgradePlan, file: string) {
  const { write } = await import('../gate/outputs.ts')
  const { renderSarif } = await import('../../../ci/sarif.ts')
  const { upgradeFindings } = await import('../../../ci/upgrade-findings.ts')
  const run = await cli.call('getReport', { params: { run_id: plan.basis.run_id } })
  write(file, renderSarif({ run, result: {} }, upgradeFindings(plan), version))
}
