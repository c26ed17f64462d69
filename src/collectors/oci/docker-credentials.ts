import { join } from 'node:path'
import { readOwnFile } from '../../util/own-file.ts'
import { kept } from '../../util/remember.ts'
import { parseJson } from '../parse-json.ts'
import { askHelper, type RegistryCredential } from './credential-helper.ts'
import { DockerConfig } from './schema.ts'

/** Docker's credentials for this registry; undefined means anonymous. Never throws. */
export type FindCredential = (registry: string) => Promise<RegistryCredential | undefined>

type DockerEnv = Record<string, string | undefined>

const maxBytes = 1024 * 1024

/**
 * Credentials from `config.json` in `DOCKER_CONFIG` or `~/.docker`, and from its helpers. Each registry is looked up once.
 */
export function createDockerCredentials(env: DockerEnv): FindCredential {
  return kept(async (registry) => {
    const config = readDockerConfig(env)
    if (!config) return undefined
    const name = registry === 'docker.io' ? dockerHub : registry
    const helpers = new Map(Object.entries(config.credHelpers))
    const helper = helpers.get(registry) ?? helpers.get(name) ?? config.credsStore
    return (helper && (await askHelper(helper, name, env))) || findAuth(config, registry)
  })
}

/** Key of Docker Hub in Docker's configuration. */
const dockerHub = 'https://index.docker.io/v1/'

function findAuth({ auths }: DockerConfig, registry: string): RegistryCredential | undefined {
  const auth = Object.entries(auths).find(([key]) => toHost(key) === registry)?.[1]
  if (!auth) return undefined
  if (auth.identitytoken) return { identityToken: auth.identitytoken }
  const plain = Buffer.from(auth.auth ?? '', 'base64').toString('utf8')
  const colon = plain.indexOf(':')
  const [username, secret] =
    colon > 0 ? [plain.slice(0, colon), plain.slice(colon + 1)] : [auth.username, auth.password]
  return username && secret ? { username, secret } : undefined
}

/** Keys are hosts, or URLs as older versions wrote them. */
function toHost(key: string) {
  const host = key.replace(/^https?:\/\/|\/.*/g, '').toLowerCase()
  return ['index.docker.io', 'registry-1.docker.io'].includes(host) ? 'docker.io' : host
}

function readDockerConfig(env: DockerEnv) {
  const home = env.HOME || env.USERPROFILE
  const folder = env.DOCKER_CONFIG || (home && join(home, '.docker'))
  if (!folder) return undefined
  try {
    return parseJson(readOwnFile(join(folder, 'config.json'), maxBytes), DockerConfig)
  } catch {
    return undefined
  }
}
