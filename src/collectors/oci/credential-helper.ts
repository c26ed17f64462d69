import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { parseJson } from '../parse-json.ts'
import { HelperAnswer } from './schema.ts'

export type RegistryCredential = { username: string; secret: string } | { identityToken: string }

const patienceMs = 15_000
const maxBytes = 64 * 1024

/**
 * Runs `docker-credential-NAME get`, which reads the registry from its input. Undefined if it has none, fails, or does not
 * end. https://github.com/docker/docker-credential-helpers
 */
export async function askHelper(
  name: string,
  registry: string,
  env: Record<string, string | undefined>,
): Promise<RegistryCredential | undefined> {
  if (!/^\w[\w.-]{0,63}$/.test(name)) return undefined
  const running = promisify(execFile)(`docker-credential-${name}`, ['get'], {
    env,
    timeout: patienceMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxBytes,
    windowsHide: true,
  })
  // A helper may exit before reading its input; its answer decides.
  running.child.stdin?.on('error', () => {})
  running.child.stdin?.end(registry)
  const stdout = await running.then((answer) => answer.stdout).catch(() => '')
  const answer = parseJson(Buffer.from(stdout), HelperAnswer)
  if (!answer?.Secret) return undefined
  const { Username: username, Secret: secret } = answer
  return username === '<token>' ? { identityToken: secret } : { username, secret }
}
