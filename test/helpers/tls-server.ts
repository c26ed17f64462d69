import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './cli.ts'

export const canMakeCertificates = spawnSync('openssl', ['version']).status === 0

/** A certificate for 127.0.0.1, or another name, that no authority vouches for, also in `file`. */
export function makeCertificate(name = 'IP:127.0.0.1'): { cert: string; key: string; file: string } {
  const folder = temporaryFolder()
  const file = join(folder, 'cert.pem')
  const keyFile = join(folder, 'key.pem')
  const argv = `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=${name} -keyout ${keyFile} -out ${file}`
  execFileSync('openssl', argv.split(' '), { stdio: 'ignore' })
  return { cert: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8'), file }
}

/** A server on this machine that no authority vouches for but its own certificate, in `file`. */
export async function openTlsServer(answer: RequestListener): Promise<{ file: string; url: string }> {
  const { cert, key, file } = makeCertificate()
  const server = createServer({ cert, key }, answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { file, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
