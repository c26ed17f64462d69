import { version } from '../../../version.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  examples: ['relt openapi > openapi.json'],
  /** A document for programs: JSON, unless another data format is requested. */
  run: async (cli) => {
    const { openApiDocument } = await import('../../../contract/openapi.ts')
    const body = openApiDocument(version)
    await show(cli, { body, text: () => `${JSON.stringify(body, null, 2)}\n` })
  },
})
