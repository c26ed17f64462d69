import { lstatSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'
import type { Context } from '../../../context.ts'
import type { Policy } from '../../../gate/policy.ts'
import { defined } from '../../../util/defined.ts'
import { parseDays } from '../../../util/time.ts'
import type { OptionsOf } from '../../program/options.ts'

/** Path in the current folder. */
export const defaultPolicyFile = 'relt.yaml'

export const gateOptions = {
  '--fail-on <rule>': {
    help: "rule to check, such as 'new>=high' or 'score-drop>5' (repeatable)",
    parse: (rule: string, rules: string[] = []) => [...rules, rule],
  },
  '--policy <file>': `YAML file with rules and exceptions under the key gate (default: ${defaultPolicyFile}, if it exists)`,
  '--baseline <run>':
    'compare with this instead of the last run that passed: previous, branch:NAME, cluster:NAME, a run or a day',
  '--unknown-severity <verdict>': {
    help: 'verdict of advisory rules on an advisory without a severity',
    choices: ['undecided', 'fail', 'ignore'],
  },
  '--ignore-newer-than <days>': {
    help: 'ignore advisories published within this time, such as 14d',
    parse: toDays,
  },
} as const

export type GateOptions = OptionsOf<typeof gateOptions>

function toDays(text: string): number {
  const days = parseDays(text)
  if (days === undefined) throw new InvalidArgumentError('A number of days is needed, such as 14d.')
  return days
}

/** A rule option implies `--gate`. */
export function wantsGate(options: GateOptions & { gate?: boolean }): boolean {
  const { gate, failOn, policy, baseline, unknownSeverity, ignoreNewerThan } = options
  const given = [gate, failOn, policy, baseline, unknownSeverity, ignoreNewerThan]
  return given.some((option) => option !== undefined)
}

/**
 * The policy from file and flags. If neither has rules, uses the one that the server stores for the team or account. Throws
 * `gate_undecided` if it is invalid, or has no rules.
 */
export async function loadPolicy(options: GateOptions, context: Pick<Context, 'client'>) {
  return complete(await findWhole(options, context), options)
}

/** Like `loadPolicy`, but undefined if there are no rules. */
export async function loadPolicyIfAny(
  options: GateOptions,
  context: Pick<Context, 'client'>,
): Promise<Policy | undefined> {
  const found = await findWhole(options, context)
  const hasRules = (options.failOn ?? []).length > 0 || (found?.rules.length ?? 0) > 0
  return hasRules ? complete(found, options) : undefined
}

async function complete(found: Policy | undefined, options: GateOptions) {
  const { failOn = [], baseline, unknownSeverity, ignoreNewerThan: graceDays } = options
  const { completePolicy } = await import('../../../gate/complete-policy.ts')
  return completePolicy(found, { failOn, ...defined({ baseline, unknownSeverity, graceDays }) })
}

/** The policy in the file, or that of the server with the file's exceptions. */
async function findWhole(options: GateOptions, context: Pick<Context, 'client'>): Promise<Policy | undefined> {
  const inFile = await loadPolicyFile(options)
  if ((options.failOn ?? []).length > 0 || (inFile?.rules.length ?? 0) > 0) return inFile
  const { findStoredPolicy } = await import('../../../submit/stored-policy.ts')
  return findStoredPolicy(await context.client(), inFile)
}

/** Exceptions of the policy file. */
export const loadExceptions = async (options: Pick<GateOptions, 'policy'>) =>
  (await loadPolicyFile(options))?.exceptions ?? []

/** Reads the policy from its file only. Throws `gate_undecided` if it is invalid. */
export async function loadPolicyFile({ policy }: Pick<GateOptions, 'policy'>) {
  const file = policy ?? (hasDefaultPolicy() ? defaultPolicyFile : undefined)
  const read = file === undefined ? undefined : await readPolicyFor(file)
  if (policy === undefined || read) return read
  const { unusable } = await import('../../../gate/complete-policy.ts')
  throw unusable([{ source: policy, problem: 'has no gate key' }])
}

/** Also true for an unreadable file, such as a dangling link: without its rules the gate would pass. */
export function hasDefaultPolicy(): boolean {
  try {
    return lstatSync(defaultPolicyFile, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

const readPolicyFor = async (file: string) => (await import('../../../submit/read-policy-file.ts')).readPolicyFile(file)
