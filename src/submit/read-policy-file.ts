import { basename } from 'node:path'
import { ReltError } from '../errors.ts'
import type { Policy } from '../gate/policy.ts'
import { maxPolicyBytes, readPolicy } from '../gate/read-policy.ts'
import { unreadable } from '../util/file-error.ts'
import { readOwnFile } from '../util/own-file.ts'

/** The policy in a YAML file; undefined without the key `gate`. Throws `gate_undecided` if it is invalid. */
export function readPolicyFile(file: string): Policy | undefined {
  let yaml: string
  try {
    yaml = readOwnFile(file, maxPolicyBytes).toString('utf8')
  } catch (cause) {
    const { message } = unreadable(`The policy ${file}`, cause)
    throw new ReltError('gate_undecided', message, { cause })
  }
  const policy = readPolicy(yaml, file)
  return policy && { name: basename(file), ...policy }
}
