import type { Client } from '../client/client.ts'
import { ReltError } from '../errors.ts'
import type { Policy } from '../gate/policy.ts'
import { readPolicy } from '../gate/read-policy.ts'

const source = 'policy of the server'

/**
 * The policy that a server stores for the team or account, plus exceptions, baselines and lines about the unknown of a file. Undefined if it
 * stores none. Throws `gate_undecided` if the caller may not read it: without it, a gate would have no rules.
 */
export async function findStoredPolicy(client: Client, inFile: Policy | undefined): Promise<Policy | undefined> {
  const { policy } = await client.call('getGatePolicy', {}).catch(orNone)
  const stored = policy === null ? undefined : readPolicy(policy, source)
  if (!stored) return inFile
  if (!inFile) return { name: source, ...stored }
  return {
    ...stored,
    name: `${source} ${inFile.name ?? ''}`.trim(),
    exceptions: [...stored.exceptions, ...inFile.exceptions],
    begin: inFile.begin ?? stored.begin,
    takenIn: [...(stored.takenIn ?? []), ...(inFile.takenIn ?? [])],
    undecided: [...(stored.undecided ?? []), ...(inFile.undecided ?? [])],
  }
}

function orNone(error: unknown): { policy: null } {
  // The server does not support policies.
  if (error instanceof ReltError && error.code === 'not_found') return { policy: null }
  if (error instanceof ReltError && error.code === 'forbidden') {
    throw new ReltError('gate_undecided', `The gate has no rules here, and the policy of the server cannot be read.`, {
      hint: "Add a rule, such as --fail-on 'new>=high', or set gate.fail_on in relt.yaml.",
      cause: error,
    })
  }
  throw error
}
