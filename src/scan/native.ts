import { credentialsOf, nativeArguments, type Profile } from '../profiles/index.ts'
import type { Invocation, Places } from './runner.ts'

export function nativeInvocation(file: string, profile: Profile, places: Places): Invocation {
  const { outputPath, configPath, formats } = places
  const args = nativeArguments(profile, { outputPath, configPath, formats, radar: false })
  return { file, args, credentials: credentialsOf(profile, { radar: false }) }
}
