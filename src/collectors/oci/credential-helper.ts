import { execFile } from 'node:child_process'
import { parseJson } from '../parse-json.ts'
import { HelperAnswer } from './schema.ts'

export type RegistryCredential = { username: string; secret: string } | { identityToken: string }

const patienceMs = 15_000
const maxBytes = 64 * 1024

/**
 * Runs `docker-credential-NAME get`, which reads the registry from its input. Undefined if it has none, fails, or does not
 * end. https://github.com/docker/docker-credential-helpers
 */
export function askHelper(
  name: string,
  registry: string,
  env: Record<string, string | undefined>,
): Promise<RegistryCredential | undefined> {
  if (!/^[\w][\w.-]{0,63}$/.test(name)) return Promise.resolve(undefined)
  const options = { env, timeout: patienceMs, killSignal: 'SIGKILL', maxBuffer: maxBytes, windowsHide: true } as const
  return new Promise((resolve) => {
    const child = execFile(`docker-credential-${name}`, ['get'], options, (error, stdout) => {
      const answer = error ? undefined : parseJson(Buffer.from(stdout), HelperAnswer)
      if (!answer?.Secret) resolve(undefined)
      else if (answer.Username === '<token>') resolve({ identityToken: answer.Secret })
      else resolve({ username: answer.Username, secret: answer.Secret })
    })
    // A helper may exit before reading its input; its answer decides.
    child.stdin?.on('error', () => {})
    child.stdin?.end(registry)
  })
}
