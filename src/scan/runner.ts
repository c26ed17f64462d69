import { ReltError } from '../errors.ts'
import { hasContainer, type Profile } from '../profiles/index.ts'
import { findProgram, runProgram } from '../util/exec.ts'
import type { ScanEnv } from './environment.ts'
import { type RunnerName, runnerNames } from './runner-name.ts'

const programs: Record<RunnerName, string> = {
  native: 'kubebuddy',
  powershell: 'pwsh',
  docker: 'docker',
  podman: 'podman',
  nerdctl: 'nerdctl',
}

/** All runners, available or not. */
export async function findRunners(env: ScanEnv) {
  return Promise.all(runnerNames.map((name) => findRunner(name, env)))
}

/** The requested runner, or the first available one. Throws `usage` without one. */
export const noScanner = 'No scanner is installed.'

export async function chooseRunner(
  env: ScanEnv,
  { wanted, profile }: { wanted: RunnerName | undefined; profile: Profile },
) {
  const names = wanted ? [wanted] : runnerNames
  for (const name of names) {
    if (name !== 'native' && name !== 'powershell' && !hasContainer(profile)) {
      if (!wanted) continue
      throw new ReltError('usage', 'The scanner container does not support GKE.', {
        hint: 'Use --runner native or powershell for this profile.',
      })
    }
    const { file, lacks } = await findRunner(name, env)
    if (file !== undefined && lacks === undefined) return { name, file }
    if (wanted)
      throw new ReltError('usage', `The runner ${name} is not available: ${lacks ?? `no ${programs[name]} on PATH`}.`, {
        hint,
      })
  }
  throw new ReltError('usage', noScanner, { hint })
}

/** `file` is absolute, and undefined if not found. `lacks`: why it cannot scan although the program exists. */
async function findRunner(name: RunnerName, env: ScanEnv) {
  const file = findProgram(programs[name], env)
  const lacks = file === undefined ? undefined : await lackFor(name, file, env)
  return { name, file, ...(lacks !== undefined && { lacks }) }
}

async function lackFor(name: RunnerName, file: string, env: ScanEnv) {
  if (name === 'native') return undefined
  if (name === 'powershell') return (await hasModule(file, env)) ? undefined : 'its module KubeBuddy is not installed'
  return (await hasEngine(name, file, env))
    ? undefined
    : `${programs[name]} is installed, but its engine does not answer`
}

/** The client program alone cannot start a container. Some releases of `docker info` exit with 0 without a daemon. */
async function hasEngine(name: RunnerName, file: string, env: ScanEnv) {
  const args = name === 'docker' ? ['version', '--format', '{{.Server.Version}}'] : ['info']
  const { how } = await runProgram({ file, args, env }, { timeoutMs: 8_000, graceMs: 500 })
  return how === 'done'
}

/** PowerShell cannot scan without the scanner's module. */
async function hasModule(file: string, env: ScanEnv) {
  const question = 'if (-not (Get-Module -ListAvailable -Name KubeBuddy)) { exit 1 }'
  const args = ['-NoProfile', '-NonInteractive', '-Command', question]
  const { how } = await runProgram({ file, args, env }, { timeoutMs: 30_000 })
  return how === 'done'
}

const hint = 'Install kubebuddy, its PowerShell module or a container engine. Check the setup: relt doctor'
