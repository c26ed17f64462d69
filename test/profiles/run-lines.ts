import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const bin = join(import.meta.dirname, '../fixtures/profiles/bin')

/** Lines run by one real bash, in which `kubebuddy` and `docker` are fixtures: the arguments of each call. */
export async function runLines(lines: string[]): Promise<string[][]> {
  const home = await mkdtemp(join(tmpdir(), 'relt-lines-'))
  try {
    const record = join(home, 'record')
    await writeFile(join(home, 'lines.sh'), `${['set -eu', 'unset HISTFILE', ...lines].join('\n')}\n`)
    await promisify(execFile)('bash', ['--noprofile', '--norc', join(home, 'lines.sh')], {
      cwd: home,
      env: { PATH: `${bin}:/usr/bin:/bin`, HOME: '/home/ada', KUBEBUDDY_TAG: 'v1.2.3', RECORD: record },
    })
    return callsOf((await readFile(record, 'utf8')).replaceAll(home, '/work dir'))
  } finally {
    await rm(home, { recursive: true })
  }
}

function callsOf(record: string): string[][] {
  const words = record.split('\0')
  const calls: string[][] = []
  for (let at = 0; at < words.length - 1; ) {
    const count = Number(words[at])
    calls.push(words.slice(at + 1, at + 1 + count))
    at += 1 + count
  }
  return calls
}
