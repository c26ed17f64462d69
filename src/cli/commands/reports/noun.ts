import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { noun, verb } from '../../program/verb.ts'
import { clusterOptions } from './cluster.ts'
import compare from './compare.ts'
import copy from './copy.ts'
import { findRunId, runForms } from './find-run.ts'
import freshness from './freshness.ts'
import html from './html.ts'
import list from './list.ts'
import show from './show.ts'
import trends from './trends.ts'
import upload from './upload.ts'

export const remove = verb({
  name: 'delete',
  summary: 'Delete a run and its report',
  examples: ['relt reports delete crun_k3v7qd2m5x4aznle', 'relt reports delete latest --cluster prod-eu --yes'],
  args: [['<run>', runForms]],
  options: {
    ...clusterOptions(),
    ...yesOption,
  },
  run: async (cli, reference, options) => {
    const run_id = await findRunId(cli, reference, options)
    const run = await cli.call('getReport', { params: { run_id } })
    await confirm(cli, options, `Permanently delete run ${run_id} of ${run.cluster_name ?? 'an unknown cluster'}?`)
    await sayDone(cli, `Deleted ${run_id}`, await cli.call('deleteReport', { params: { run_id } }))
  },
})

export default noun({
  examples: ['relt reports upload report.json --compare', 'relt reports freshness'],
  verbs: [upload, list, show, compare, trends, freshness, html, copy, remove],
})
