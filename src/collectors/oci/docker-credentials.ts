import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { remember } from '../../util/remember.ts'
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
  let config: Promise<DockerConfig | undefined> | undefined
  const found = new Map<string, ReturnType<FindCredential>>()
  return (registry) => {
    config ??= readDockerConfig(env)
    const read = config
    return remember(found, registry, () =>
      read.then((config) => config && findIn(config, registry, env)).catch(() => undefined),
    )
  }
}

async function findIn(config: DockerConfig, registry: string, env: DockerEnv) {
  const name = registry === 'docker.io' ? dockerHub : registry
  const helpers = new Map(Object.entries(config.credHelpers))
  const helper = helpers.get(registry) ?? helpers.get(name) ?? config.credsStore
  return (helper && (await askHelper(helper, name, env))) || ofAuths(config, registry)
}

/** Key of Docker Hub in Docker's configuration. */
const dockerHub = 'https://index.docker.io/v1/'

function ofAuths({ auths }: DockerConfig, registry: string): RegistryCredential | undefined {
  const isMeant = (key: string) =>
    toHost(key) === registry || (registry === 'docker.io' && dockerHosts.has(toHost(key)))
  const auth = Object.entries(auths).find(([key]) => isMeant(key))?.[1]
  if (!auth) return undefined
  if (auth.identitytoken) return { identityToken: auth.identitytoken }
  const plain = Buffer.from(auth.auth ?? '', 'base64').toString('utf8')
  const colon = plain.indexOf(':')
  const [username, secret] =
    colon > 0 ? [plain.slice(0, colon), plain.slice(colon + 1)] : [auth.username, auth.password]
  return username && secret ? { username, secret } : undefined
}

const dockerHosts = new Set(['index.docker.io', 'registry-1.docker.io'])

/** Keys are hosts, or URLs as older versions wrote them. */
function toHost(key: string) {
  return key
    .replace(/^https?:\/\//, '')
    .replace(/\/.*$/, '')
    .toLowerCase()
}

async function readDockerConfig(env: DockerEnv) {
  const home = env.HOME || env.USERPROFILE
  const folder = env.DOCKER_CONFIG || (home && join(home, '.docker'))
  if (!folder) return undefined
  const bytes = await readFile(join(folder, 'config.json'))
  return bytes.length > maxBytes ? undefined : parseJson(bytes, DockerConfig)
}
