import type { ReceivedClusterConfig } from '../../../contract/received/cluster-config.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { findProfile } from './find.ts'
import { formatRemarks } from './remarks.ts'

export default verb({
  name: 'show',
  summary: 'Show a scan profile as YAML',
  examples: ['relt profiles show shop-prod', 'relt profiles show ccfg_0123456789abcdef0123'],
  args: [['[profile]', 'name or id']],
  run: async (cli, idOrName) => {
    const { config_id } = await findProfile(cli, idOrName)
    const client = await cli.context.client()
    const profile = await client.call('getConfig', { params: { config_id } })
    await show(cli, {
      body: profile,
      verbatim: await renderProfile(config_id, profile, await formatRemarks(cli, profile.settings)),
    })
  },
})

async function renderProfile(config_id: string, profile: ReceivedClusterConfig, remarks: string[]): Promise<string> {
  const { writeDocument } = await import('./document.ts')
  const comments = [`${config_id}, changed ${profile.updated_at ?? '-'}`, ...remarks]
  return `${comments.map((comment) => `# ${comment}\n`).join('')}${writeDocument(profile)}`
}
