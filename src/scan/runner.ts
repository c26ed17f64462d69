import { ReltError } from '../errors.ts'
import { hasContainer, type Profile, type ReportFormat } from '../profiles/index.ts'
import { findProgram } from '../util/exec.ts'
import { containerInvocation } from './docker.ts'
import type { Env } from './environment.ts'
import { nativeInvocation } from './native.ts'
import { hasModule, powershellInvocation } from './powershell.ts'
import { type RunnerName, runnerNames } from './runner-name.ts'

export interface Runner {
  name: RunnerName
  /** Absolute path of the program; undefined when there is none. */
  file: string | undefined
  /** Why it cannot scan although its program is there. */
  lacks?: string
}

/** Where the scanner reads and writes: absolute paths. */
export interface Places {
  outputPath: string
  configPath?: string | undefined
  formats: ReportFormat[]
}

export interface Invocation {
  file: string
  args: string[]
  /** Names of variables whose values are secret. */
  credentials: string[]
  /** Arguments with which the program ends what goes on when it has itself been ended. */
  stop?: string[]
}

const programs: Record<RunnerName, string> = {
  native: 'kubebuddy',
  powershell: 'pwsh',
  docker: 'docker',
  podman: 'podman',
  nerdctl: 'nerdctl',
}

/** Every runner, there or not. */
export async function findRunners(env: Env): Promise<Runner[]> {
  return Promise.all(runnerNames.map((name) => findRunner(name, env)))
}

/** The one that is wanted, or the first that is there. Throws `usage` when there is none. */
export async function chooseRunner(
  env: Env,
  { wanted, profile }: { wanted: RunnerName | undefined; profile: Profile },
): Promise<Runner & { file: string }> {
  const names = wanted ? [wanted] : runnerNames
  for (const name of names) {
    if (!canRun(name, profile)) {
      if (!wanted) continue
      throw new ReltError('usage', 'The container of the scanner has no settings for GKE.', {
        hint: 'Use --runner native or powershell for this profile.',
      })
    }
    const { file, lacks } = await findRunner(name, env)
    if (file !== undefined && lacks === undefined) return { name, file }
    if (wanted) throw new ReltError('usage', `The runner ${name} is not there: ${lacks ?? missing(name)}.`, { hint })
  }
  throw new ReltError('usage', 'There is no scanner on this machine.', { hint })
}

/** What is to be started for a profile. */
export function invocationOf(
  { name, file }: { name: RunnerName; file: string },
  profile: Profile,
  places: Places,
  container: { env: Env; tag: string | undefined },
): Invocation {
  if (name === 'native') return nativeInvocation(file, profile, places)
  if (name === 'powershell') return powershellInvocation(file, profile, places)
  return containerInvocation(file, profile, places, container)
}

export function missing(name: RunnerName): string {
  return `no ${programs[name]} on PATH`
}

async function findRunner(name: RunnerName, env: Env): Promise<Runner> {
  const file = findProgram(programs[name], env)
  if (name !== 'powershell' || file === undefined || (await hasModule(file, env))) return { name, file }
  return { name, file, lacks: 'its module KubeBuddy is not installed' }
}

function canRun(name: RunnerName, profile: Profile): boolean {
  return name === 'native' || name === 'powershell' || hasContainer(profile)
}

const hint = 'Install kubebuddy, or its PowerShell module, or a container engine; see: relt scan doctor'
