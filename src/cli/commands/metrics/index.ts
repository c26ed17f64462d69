import { answersText } from '../../../metrics/answers.ts'
import { writeTextfile } from '../../../submit/write-textfile.ts'
import { count } from '../../../util/words.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  examples: ['relt metrics', 'relt metrics --textfile /var/lib/node_exporter/relt.prom'],
  options: {
    '--textfile <file>': "write a file for node_exporter's textfile collector, whole or not at all",
  },
  run: async (cli, { textfile }) => {
    if (textfile !== undefined) {
      const clusters = await writeTextfile(await cli.context.client(), textfile)
      return sayDone(cli, `Wrote ${textfile} (${count(clusters, 'cluster')})`, { success: true, file: textfile })
    }
    const body = await cli.call('getClusterMetrics', {})
    await show(cli, { body, verbatim: answersText(body, 'prometheus') })
  },
})
