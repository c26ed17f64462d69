import { homedir } from 'node:os'
import { join } from 'node:path'

export type Env = Record<string, string | undefined>

/** Folder of the store: `RELT_HOME`, or the platform's usual place for an application's data. */
export function dataFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.RELT_HOME) return env.RELT_HOME
  const home = env.HOME ?? homedir()
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'relt')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'relt')
  return join(env.XDG_DATA_HOME || join(home, '.local', 'share'), 'relt')
}

/** Folder of settings and servers: `RELT_HOME`, or the platform's usual place for them. */
export function configFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.RELT_HOME) return env.RELT_HOME
  const home = env.HOME ?? homedir()
  if (platform === 'win32') return join(env.APPDATA ?? join(home, 'AppData', 'Roaming'), 'relt')
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'relt')
  return join(env.XDG_CONFIG_HOME || join(home, '.config'), 'relt')
}

/** Folder of what can be had again. */
export function cacheFolder(env: Env, platform: NodeJS.Platform = process.platform): string {
  if (env.RELT_HOME) return join(env.RELT_HOME, 'cache')
  const home = env.HOME ?? homedir()
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), 'relt', 'cache')
  if (platform === 'darwin') return join(home, 'Library', 'Caches', 'relt')
  return join(env.XDG_CACHE_HOME || join(home, '.cache'), 'relt')
}
