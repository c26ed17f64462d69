import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { ReltError } from '../../../errors.ts'
import type { FirstRun, Policy } from '../../../gate/policy.ts'
import { readSmallFile } from '../../input/small-file.ts'

export interface GateOptions {
  failOn?: string[]
  policy?: string
  firstRun?: FirstRun
  allowUnknown?: boolean
}

const defaultFile = 'relt.yaml'

export function addGateOptions(command: Command): Command {
  return command
    .option(
      '--fail-on <rule>',
      "a rule, such as 'new>=high' or 'score<80'; again for more",
      (rule, rules: string[] = []) => [...rules, rule],
    )
    .option(
      '--policy <file>',
      `YAML with rules and exceptions under gate (default: ${defaultFile}, where there is one)`,
    )
    .addOption(
      new Option('--first-run <verdict>', 'of rules about what changed, where there is no earlier run').choices([
        'pass',
        'undecided',
      ]),
    )
    .option('--allow-unknown', 'pass rules about artifacts when the catalog knows too little of them')
}

/** Whoever gives a rule wants it kept. */
export function wantsGate({ gate, failOn, policy, firstRun, allowUnknown }: GateOptions & { gate?: boolean }): boolean {
  return [gate, failOn, policy, firstRun, allowUnknown].some((option) => option !== undefined)
}

/** The policy of file and flags. Throws `gate_undecided` when it cannot be used. */
export async function loadPolicy({ failOn = [], policy, firstRun, allowUnknown }: GateOptions): Promise<Policy> {
  const { completePolicy, unusable } = await import('../../../gate/policy.ts')
  const file = policy ?? (existsSync(defaultFile) ? defaultFile : undefined)
  const read = file === undefined ? undefined : await readFile(file)
  if (policy !== undefined && !read) throw unusable([{ source: policy, problem: 'has no key gate' }])
  return completePolicy(read, { failOn, ...(firstRun && { firstRun }), ...(allowUnknown && { allowUnknown }) })
}

async function readFile(file: string): Promise<Policy | undefined> {
  const { maxPolicyBytes, readPolicy } = await import('../../../gate/read-policy.ts')
  let yaml: string
  try {
    yaml = readSmallFile(file, maxPolicyBytes).toString('utf8')
  } catch (cause) {
    const { message } = cause as Error
    throw new ReltError('gate_undecided', `The policy of the gate cannot be read: ${message}`, { cause })
  }
  return readPolicy(yaml, file)
}
