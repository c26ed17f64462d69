import { join } from 'node:path'
import { homeFolder } from '../util/home.ts'

export type Env = Record<string, string | undefined>

/** Folder of the store: `RELT_HOME`, or the platform's default for application data. */
export function dataFolder(env: Env, platform = process.platform) {
  if (env.RELT_HOME) return env.RELT_HOME
  if (platform === 'win32') return folderIn(env, 'LOCALAPPDATA', 'AppData/Local')
  if (platform === 'darwin') return folderIn(env, '', 'Library/Application Support')
  return folderIn(env, 'XDG_DATA_HOME', '.local/share')
}

/** Folder of settings and servers: `RELT_HOME`, or the platform's default for settings. */
export function configFolder(env: Env, platform = process.platform) {
  if (env.RELT_HOME || platform === 'darwin') return dataFolder(env, platform)
  if (platform === 'win32') return folderIn(env, 'APPDATA', 'AppData/Roaming')
  return folderIn(env, 'XDG_CONFIG_HOME', '.config')
}

/** Folder for caches. */
export function cacheFolder(env: Env, platform = process.platform) {
  if (env.RELT_HOME || platform === 'win32') return join(dataFolder(env, platform), 'cache')
  if (platform === 'darwin') return folderIn(env, '', 'Library/Caches')
  return folderIn(env, 'XDG_CACHE_HOME', '.cache')
}

/** `variable` names the base folder of all applications; default: `path` in the home folder. */
function folderIn(env: Env, variable: string, path: string) {
  return join(env[variable] || join(homeFolder(env), path), 'relt')
}
