/** `npm run release:sign [FOLDER]`: signs the statements of a release with the identity of the workflow that runs it. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { attest } from 'sigstore'

const folder = process.argv[2] ?? 'release'
const statements = globSync(`${folder}/*.intoto.json`)
if (statements.length === 0) throw new Error(`${folder} has no statements: npm run release makes them`)
if (!process.env.ACTIONS_ID_TOKEN_REQUEST_URL)
  throw new Error('Only a workflow with the permission id-token: write has an identity to sign with')

for (const file of statements) {
  const bundle = await attest(readFileSync(file), 'application/vnd.in-toto+json')
  const signed = file.replace(/\.json$/, '.sigstore.json')
  writeFileSync(signed, `${JSON.stringify(bundle)}\n`)
  console.log(`Signed ${signed}`)
}
