import { isAbsolute, relative } from 'node:path'
import { dataFolder, type Env } from '../config/env.ts'

/** In the data folder, only the agent can create a folder for a service whose user exists only while it runs. */
export function isMadeByAgent(env: Env, folder: string) {
  const way = relative(dataFolder(env), folder)
  return way !== '' && !way.startsWith('..') && !isAbsolute(way)
}
