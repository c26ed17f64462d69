import { readFileSync } from 'node:fs'
import { getCACertificates } from 'node:tls'
import { unreadable } from '../util/file-error.ts'
import { readConfig } from './config-file.ts'
import type { Env } from './env.ts'

/** The default certificate authorities and those in the file. Throws `usage`. */
export function readCertificates(file: string) {
  try {
    return [...getCACertificates('default'), readFileSync(file, 'utf8')]
  } catch (cause) {
    throw unreadable(`The certificates in ${file}`, cause)
  }
}

/** Certificates of `RELT_CA_FILE` or the settings; undefined means only the defaults. Throws `usage`. */
export function certificatesFor(env: Env): string[] | undefined {
  const file = env.RELT_CA_FILE || readConfig(env).settings.ca_file
  return file ? readCertificates(file) : undefined
}
