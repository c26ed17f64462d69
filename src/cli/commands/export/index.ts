import { writeFileSync } from 'node:fs'
import type { RouteCaller } from '../../../client/client.ts'
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
    const { io, json } = cli
    const exported = await exportAll(cli)
    const team = await chosenTeam(cli)
    const [owners, policy] = await Promise.all([findOwners(cli), team === undefined ? undefined : findPolicy(cli)])
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

async function exportAll(cli: Cli) {
  const [{ readCurrent }, { exportState }] = await Promise.all([
    import('../../../declarative/current.ts'),
    import('../../../declarative/export.ts'),
  ])
  try {
    const current = await readCurrent(cli, { profiles: true })
    return exportState(current, current.profiles)
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'forbidden') throw error
    if (!cli.json) cli.io.err(`Profiles were not exported: ${error.message}\n`)
    return exportState(await readCurrent(cli, { profiles: false }), undefined)
  }
}

/** Undefined on a server without owners, and on a plan without them. */
async function findOwners(client: RouteCaller) {
  return (await client.call('getOwners', {}).catch(insteadOf(['not_found', 'forbidden'], { owners: [] }))).owners
}

/** The team's policy; undefined if it has none, or on a server that stores none. */
async function findPolicy(client: RouteCaller) {
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
