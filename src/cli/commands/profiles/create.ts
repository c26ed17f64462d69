import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { changeOptions, toChange } from './change.ts'
import { requireFreeName } from './find.ts'
import { formatRemarks, warn } from './remarks.ts'

export default verb({
  name: 'create',
  summary: 'Create a scan profile',
  examples: [
    'relt profiles create shop-prod --provider aks --set radar.environment=prod output.htmlReport=true',
    'relt profiles create shop-prod --set "excluded_namespaces=[kube-system, argocd]"',
    'relt profiles create --from profile.yaml',
  ],
  args: [['[name]', 'name of the profile']],
  options: {
    ...changeOptions,
  },
  run: async (cli, typed, options) => {
    const given = await toChange(cli, options)
    const name = typed ?? given.name
    const body =
      name === undefined ? await (await import('./ask-profile.ts')).askProfile(cli, given) : { ...given, name }
    const client = await cli.context.client()
    await requireFreeName(client, body.name)
    const answer = await client.call('createConfig', { body })
    await sayDone(
      cli,
      `Created the profile ${answer.name ?? body.name}${answer.config_id ? ` (${answer.config_id})` : ''}`,
      answer,
    )
    warn(cli, await formatRemarks(cli, answer.settings ?? body.settings))
  },
})
