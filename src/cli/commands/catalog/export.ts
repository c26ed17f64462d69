import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog } from './command.ts'

export default verb({
  name: 'export',
  summary: 'Export the catalog to a file for offline machines',
  examples: [
    'relt catalog export catalog.relt',
    'relt catalog export catalog.relt --sign',
    'relt catalog export /media/usb/catalog.relt --data /var/lib/relt',
  ],
  args: [['<file>', 'file to write; an existing file is replaced']],
  options: {
    '--sign': 'sign the file with the key of this store (see `relt catalog signing-key`)',
  },
  run: async (cli, file, { sign }) => {
    const { bytes, publicKey } = await (await openCatalog(cli)).exportTo(file, { sign: sign === true })
    const signed = publicKey === undefined ? '' : `, signed by ${publicKey}`
    const body = { success: true, file, bytes, ...(publicKey !== undefined && { public_key: publicKey }) }
    await sayDone(cli, `Wrote ${file} (${Math.ceil(bytes / 1024)} KB)${signed}`, body)
  },
})
