import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog } from './command.ts'

export default verb({
  name: 'signing-key',
  summary: 'Print the public key that verifies exported catalogs',
  examples: ['relt catalog signing-key', 'relt catalog signing-key --data /var/lib/relt'],
  run: async (cli) => {
    const publicKey = await (await openCatalog(cli)).signingKey()
    await show(cli, { body: { public_key: publicKey }, verbatim: `${publicKey}\n` })
  },
})
