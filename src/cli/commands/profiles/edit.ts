import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { changeOptions, toChange } from './change.ts'
import { readProfile, requireFreeName } from './find.ts'
import { formatRemarks, warn } from './remarks.ts'

export default verb({
  name: 'edit',
  summary: 'Edit a scan profile',
  examples: [
    'relt profiles edit shop-prod --set radar.environment=prod excluded_checks=[SEC014]',
    'relt profiles edit shop-prod --from profile.yaml',
  ],
  args: [['[profile]', 'name or id']],
  options: {
    '--name <name>': 'new name',
    ...changeOptions,
  },
  run: async (cli, idOrName, options) => {
    if (Object.keys(options).length === 0) {
      throw new ReltError('usage', 'Nothing to change.', { hint: 'Add --set PATH=VALUE or --from FILE.' })
    }
    const profile = await readProfile(cli, idOrName)
    const client = await cli.context.client()
    const change = await toChange(cli, options, profile.settings)
    const body = { ...change, ...(options.name !== undefined && { name: options.name }) }
    if (body.name !== undefined) await requireFreeName(client, body.name, profile.config_id)
    const answer = await client.call('updateConfig', { params: { config_id: profile.config_id }, body })
    await sayDone(cli, `Changed the profile ${answer.name ?? profile.name}`, answer)
    warn(cli, await formatRemarks(cli, answer.settings ?? body.settings ?? profile.settings))
  },
})
