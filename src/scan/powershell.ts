import { credentialsOf, type Profile, powershellArguments } from '../profiles/index.ts'
import { runProgram } from '../util/exec.ts'
import type { Env } from './environment.ts'
import type { Invocation, Places } from './runner.ts'

export function powershellInvocation(file: string, profile: Profile, places: Places): Invocation {
  const { outputPath, configPath, formats } = places
  const args = powershellArguments(profile, { outputPath, configPath, formats, radar: false })
  return { file, args, credentials: credentialsOf(profile, { radar: false }) }
}

/** PowerShell without the scanner's module cannot scan. */
export async function hasModule(file: string, env: Env): Promise<boolean> {
  const question = 'if (-not (Get-Module -ListAvailable -Name KubeBuddy)) { exit 1 }'
  const args = ['-NoProfile', '-NonInteractive', '-Command', question]
  const { how } = await runProgram({ file, args, env }, { timeoutMs: 30_000 })
  return how === 'done'
}
