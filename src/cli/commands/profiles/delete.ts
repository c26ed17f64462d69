import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { findProfile } from './find.ts'

export default verb({
  name: 'delete',
  summary: 'Delete a scan profile',
  examples: ['relt profiles delete shop-prod', 'relt profiles delete shop-prod --yes'],
  args: [['[profile]', 'name or id']],
  options: yesOption,
  run: async (cli, idOrName, { yes }) => {
    const { config_id, name, cluster_name } = await findProfile(cli, idOrName)
    await confirm(cli, { yes }, `Permanently delete the profile ${name} of cluster ${cluster_name ?? '-'}?`)
    const client = await cli.context.client()
    const answer = await client.call('deleteConfig', { params: { config_id } })
    await sayDone(cli, `Deleted the profile ${name} (${config_id})`, answer)
  },
})
