import { writeFileSync } from 'node:fs'
import type { Client } from '../../../client/client.ts'
import type { ExportResult } from '../../../declarative/export.ts'
import { insteadOf, ReltError } from '../../../errors.ts'
import { unwritable } from '../../../util/file-error.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { verb } from '../../program/verb.ts'
import { chosenTeam } from '../teams/current.ts'

export default verb({
  examples: ['relt export > relt.yaml', 'relt export --out relt.yaml'],
  options: {
    '--out <file>': 'new file to write (default: standard output)',
  },
  /** The JSON output is also a valid file. */
  run: async (cli, { out }) => {
    const { context, io, json } = cli
    const client = await context.client()
    const exported = await exportAll(cli, client)
    const team = await chosenTeam(cli)
    const [owners, policy] = await Promise.all([
      findOwners(client),
      team === undefined ? undefined : findPolicy(client),
    ])
    exported.wanted = { ...(team !== undefined && { team }), ...exported.wanted, ...(owners.length > 0 && { owners }) }
    const { writeWanted } = await import('../../../declarative/write-wanted.ts')
    exported.policy = policy
    const yaml = writeWanted(exported)
    if (out === undefined) await show(cli, { body: await toBody(exported), verbatim: yaml })
    else {
      writeNew(out, yaml)
      await sayDone(cli, `Wrote ${out}`, { success: true, file: out, variables: exported.variables })
    }
    if (exported.variables.length > 0 && !json) {
      io.err(`Webhooks are secrets and are not exported. To apply the file, set: ${exported.variables.join(', ')}\n`)
    }
  },
})

async function exportAll({ io, json }: Cli, client: Client) {
  const [{ readCurrent }, { exportState }] = await Promise.all([
    import('../../../declarative/current.ts'),
    import('../../../declarative/export.ts'),
  ])
  try {
    const current = await readCurrent(client, { profiles: true })
    return exportState(current, current.profiles)
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'forbidden') throw error
    if (!json) io.err(`Profiles were not exported: ${error.message}\n`)
    return exportState(await readCurrent(client, { profiles: false }), undefined)
  }
}

/** Undefined on a server without owners, and on a plan without them. */
async function findOwners(client: Client) {
  return (await client.call('getOwners', {}).catch(insteadOf(['not_found', 'forbidden'], { owners: [] }))).owners
}

/** The team's policy; undefined if it has none, or on a server that stores none. */
async function findPolicy(client: Client) {
  const found = client.call('getGatePolicy', {}).catch(insteadOf(['not_found', 'forbidden'], { policy: null }))
  const { policy } = await found
  const { policySection } = await import('../../../declarative/read-wanted.ts')
  return policy === null ? undefined : policySection(policy)
}

async function toBody({ wanted, policy }: ExportResult) {
  if (policy === undefined) return wanted
  const { parseYaml } = await import('../../input/parse-yaml.ts')
  return { ...wanted, ...(parseYaml(policy, 'The policy') as object) }
}

function writeNew(file: string, text: string) {
  try {
    writeFileSync(file, text, { flag: 'wx' })
  } catch (cause) {
    const exists = (cause as NodeJS.ErrnoException).code === 'EEXIST'
    throw unwritable(file, cause, exists ? 'Choose another name, or delete the file.' : undefined)
  }
}
