import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ScanEnv } from './environment.ts'

/** A folder that only its owner can enter, gone when the work ends, also when the process is made to exit. */
export async function inTemporaryFolder<T>(env: ScanEnv, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(env.TMPDIR || tmpdir(), 'relt-scan-'))
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  process.once('exit', remove)
  try {
    return await work(folder)
  } finally {
    process.off('exit', remove)
    remove()
  }
}
