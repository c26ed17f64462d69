import { exec } from 'node:child_process'
import { ReltError } from '../errors.ts'
import type { Env } from './env.ts'

const patienceMs = 60_000

/** Runs `RELT_MASTER_KEY_COMMAND` in a shell with the whole environment and returns its output. Throws `key_unavailable`. */
export function runKeyCommand(command: string, env: Env): Promise<string> {
  const options = { env, timeout: patienceMs, maxBuffer: 64 * 1024, windowsHide: true }
  return new Promise((resolve, reject) => {
    const child = exec(command, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout)
      const why = error.killed
        ? `did not finish in ${patienceMs / 1000} seconds`
        : `failed with ${error.signal ?? `exit code ${error.code}`}`
      const output = stderr.trim().split('\n').slice(-5)
      reject(
        new ReltError('key_unavailable', `RELT_MASTER_KEY_COMMAND ${why}.`, {
          hint: 'Run the command by itself; it must print 32 bytes in hex or base64.',
          ...(output[0] && { output }),
        }),
      )
    })
    child.stdin?.end()
  })
}
