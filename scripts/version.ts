/** `npm run release:version`: states the next version everywhere, closes the changelog's section, commits and tags. */
import { parseArgs } from 'node:util'
import { describeVersion, planVersion, writeVersion } from './release/new-version.ts'

const usage = `Usage: npm run release:version -- major|minor|patch|X.Y.Z [--write]
  --write    change the files, commit and tag; without it, only show what would change`

try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
  if (positionals.length !== 1) throw new Error(usage)
  const folder = process.cwd()
  const plan = planVersion(folder, positionals[0]!, new Date().toISOString().slice(0, 10))
  console.log(describeVersion(folder, plan))
  if (values.write) writeVersion(folder, plan)
  console.log(
    values.write ? `To publish it: git push origin HEAD ${plan.tag}` : 'Nothing was changed: --write does it.',
  )
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
