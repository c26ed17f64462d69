import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { expect, onTestFinished } from 'vitest'
import { runCommand } from '../../src/cli/program/root.ts'
import type { Client } from '../../src/client/client.ts'
import type { KeptCredentials } from '../../src/config/kept-credentials.ts'
import { createContext } from '../../src/context.ts'
import { strangeKeys } from './json-keys.ts'

/** Noon of a day after the bundled catalog's. */
export const testNow = Date.UTC(2026, 8, 1, 12) / 1000

export interface CliResult {
  code: number
  stdout: string
  stderr: string
}

interface RunOptions {
  home: string
  /** A terminal of this width; without it output goes to a pipe. */
  columns?: number
  /** Lines of the terminal. */
  rows?: number
  stdin?: string | Buffer
  now?: number
  env?: Record<string, string>
  /** Stands between the command and the service. */
  between?: (client: Client) => Client
  credentials?: KeptCredentials
}

/** Runs a command as `main` does, with captured streams. */
export async function runCli(argv: string[], options: RunOptions): Promise<CliResult> {
  const { home, columns, rows, now = testNow, between = (client) => client } = options
  const stdout = new Captured(columns, rows)
  const stderr = new Captured(columns)
  // A test of a notification must not leave this machine.
  const env = {
    RELT_HOME: home,
    RELT_KEYCHAIN: 'off',
    RELT_OSV_URL: 'none',
    RELT_KEV_URL: 'none',
    RELT_CHANNELS_URL: 'none',
    RELT_DELIVERY: 'off',
    RELT_TIME_ZONE: 'UTC',
    ...options.env,
  }
  const created = createContext(
    { env, stdin: Readable.from(options.stdin === undefined ? [] : [options.stdin]), stdout, stderr },
    () => now,
  )
  let client: Promise<Client> | undefined
  const context = {
    ...created,
    ...(options.credentials && { credentials: async () => options.credentials }),
    client: () => {
      client ??= created.client().then(between)
      return client
    },
  }
  const code = await runCommand(context, argv)
  await created.close()
  expect(strangeKeys(argv, stdout.text), 'names in JSON are in snake case').toEqual([])
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** A folder that goes when the test has finished. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'relt-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

class Captured extends Writable {
  text = ''
  readonly isTTY: boolean
  readonly columns: number | undefined
  readonly rows: number | undefined

  constructor(columns: number | undefined, rows?: number) {
    super()
    this.isTTY = columns !== undefined
    this.columns = columns
    this.rows = rows
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
