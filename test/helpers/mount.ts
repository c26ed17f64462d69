import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './cli.ts'

const run = (command: string, ...argv: string[]): boolean => spawnSync(command, argv).status === 0

/** Only root may mount. */
export function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  const folder = mkdtempSync(join(tmpdir(), 'relt-test-'))
  const can = run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'none', folder) && run('umount', folder)
  rmdirSync(folder)
  return can
}

/** A file system in memory of so many megabytes, until the test is over. */
export function mountedFolder(megabytes = 20): string {
  const folder = temporaryFolder()
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', folder)) throw new Error('cannot mount')
  onTestFinished(() => void run('umount', '--lazy', folder))
  return folder
}

export function makeReadOnly(folder: string): void {
  if (!run('mount', '-o', 'remount,ro', folder)) throw new Error('cannot remount')
}
