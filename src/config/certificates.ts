import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { ReltError } from '../errors.ts'
import { readConfig } from './config-file.ts'
import type { Env } from './env.ts'

/** The usual authorities and those of the file. Throws `usage`. */
export function readCertificates(file: string): string[] {
  try {
    return [...getCACertificates('default'), readFileSync(file, 'utf8')]
  } catch (cause) {
    const why = (cause as Error).message
    throw new ReltError('usage', `The certificates in ${file} cannot be read: ${why}.`, { cause })
  }
}

/** Certificates of `RELT_CA_FILE` or the settings; undefined means only the defaults. Throws `usage`. */
export function certificatesOf(env: Env): string[] | undefined {
  const file = env.RELT_CA_FILE || readConfig(env).settings.ca_file
  return file ? readCertificates(file) : undefined
}
