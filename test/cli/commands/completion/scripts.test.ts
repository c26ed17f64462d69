import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scripts } from '../../../../src/cli/commands/completion/scripts.ts'
import { reltScript } from '../../../helpers/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'relt-test-'))
writeFileSync(join(folder, 'relt'), reltScript)
chmodSync(join(folder, 'relt'), 0o755)
writeFileSync(join(folder, 'my report.json'), '')

const isThere = (shell: string) => spawnSync(shell, ['--version']).error === undefined

function run(shell: string, args: string[], script: string): string[] {
  // Shells warn about a locale that is not installed.
  const env = { PATH: `${folder}:${process.env.PATH}`, RELT_HOME: folder, RELT_KEYCHAIN: 'off', LC_ALL: 'C' }
  const { stdout, stderr, status } = spawnSync(shell, [...args, script], { env, cwd: folder, encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.split('\n').filter(Boolean)
}

describe.skipIf(!isThere('bash'))('bash', () => {
  const complete = (...words: string[]) =>
    run(
      'bash',
      ['--norc', '-c'],
      `${scripts.bash}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length - 1}
_relt
printf '%s\\n' "\${COMPREPLY[@]}"`,
    )

  test('completes verbs', () => {
    expect(complete('relt', 'projects', 's')).toEqual(['search', 'show'])
  })

  test('completes a value behind the sign that bash takes for a word', () => {
    expect(complete('relt', 'projects', 'releases', 'x', '--type', '=', 'h')).toEqual(['helm'])
    expect(complete('relt', 'projects', 'releases', 'x', '--type', '=')).toContain('helm')
  })

  test('completes files', () => {
    expect(complete('relt', 'reports', 'upload', 'my')).toEqual(['my report.json'])
  })
})

describe.skipIf(!isThere('zsh'))('zsh', () => {
  test('completes with descriptions', () => {
    const lines = run(
      'zsh',
      ['-f', '-c'],
      `compdef() { : }
_describe() { print -l -- "\${(@P)2}" }
${scripts.zsh}
words=(relt projects se); CURRENT=3; PREFIX=se
_relt`,
    )
    expect(lines).toEqual(['search:Find projects by name, description, category or repository'])
  })

  test('completes from the first time when the script is loaded on demand', () => {
    writeFileSync(join(folder, '_relt'), scripts.zsh)
    const lines = run(
      'zsh',
      ['-f', '-c'],
      `_describe() { print -l -- "\${(@P)2}" }
fpath=(. $fpath)
autoload -U _relt
words=(relt projects se); CURRENT=3; PREFIX=se
_relt`,
    )
    expect(lines).toHaveLength(1)
  })
})

describe.skipIf(!isThere('fish'))('fish', () => {
  const complete = (line: string) =>
    run('fish', ['--no-config', '-c'], `${scripts.fish}\ncomplete -C '${line}'`).map((each) => each.split('\t')[0])

  test('completes verbs, choices and files', () => {
    expect(complete('relt projects s')).toEqual(['search', 'show'])
    expect(complete('relt projects releases x --type h')).toEqual(['helm'])
    expect(complete('relt reports upload my')).toEqual(['my report.json'])
  })
})
