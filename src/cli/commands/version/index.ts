import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  examples: ['relt version', 'relt version --licenses', 'relt version --sbom > relt.cdx.json'],
  options: {
    '--licenses': { help: 'print the licenses of all packages in relt', conflicts: 'sbom' },
    '--sbom': 'print the software bill of materials, CycloneDX 1.6 as JSON',
  },
  run: async (cli, { licenses, sbom }) => {
    if (licenses || sbom) {
      const { readBundledFile } = await import('./bundled-file.ts')
      const text = await readBundledFile(sbom ? 'sbom.cdx.json' : 'THIRD_PARTY_NOTICES')
      return show(cli, { body: sbom ? JSON.parse(text) : { licenses: text }, verbatim: text })
    }
    const body = { version, node: process.versions.node, platform: process.platform, arch: process.arch }
    await show(cli, { body, text: () => `relt ${version} (Node ${body.node}, ${body.platform} ${body.arch})\n` })
  },
})
