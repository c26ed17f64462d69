import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { gzip, tar } from '../../scripts/release/tar.ts'
import { temporaryFolder } from '../helpers/cli.ts'

// GitHub's parser imports JSON as bundlers do; Node wants to be told that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter } = await import('@actions/workflow-parser')
const { parseAction } = await import('@actions/workflow-parser/actions/action-parser')

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), 'utf8')
const action = parse(read('action.yml'))
const step = (name: string) => action.runs.steps.find((each: { name: string }) => each.name === name)

const name = 'relt-1.2.3-linux-x64'
const archive = await gzip(
  tar([{ path: name }, { path: `${name}/relt`, data: '#!/bin/sh\necho 1.2.3\n', mode: 0o755 }], 1),
)
const sha256 = createHash('sha256').update(archive).digest('hex')

/** A folder with a `curl` that writes the archive to the file after --output and records the address. */
function folderWithCurl(): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'archive'), archive)
  const curl = `#!/bin/sh\nfor last; do :; done\necho "$last" >> '${folder}/asked'\nwhile [ "$1" != --output ]; do shift; done\ncp '${folder}/archive' "$2"\n`
  writeFileSync(join(folder, 'curl'), curl, { mode: 0o755 })
  return folder
}

function bash(folder: string, script: string, env: Record<string, string>) {
  return spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${folder}:${process.env.PATH}`, GITHUB_OUTPUT: join(folder, 'output'), ...env },
  })
}

test('GitHub reads the action at the root', () => {
  const toErrors = (content: string) =>
    parseAction({ name: 'action.yml', content }, new NoOperationTraceWriter()).context.errors.getErrors().map(String)
  expect(toErrors(read('action.yml'))).toEqual([])
  expect(toErrors(read('action.yml').replace('shell: bash', 'shel: bash'))).not.toEqual([])
})

test.each([
  ['Linux-X64', '', 'https://git.example/team/relt/releases/download/v1.2.3/relt-1.2.3-linux-x64.tar.gz'],
  ['macOS-ARM64', 'https://x.example/r', 'https://x.example/r/relt-1.2.3-darwin-arm64.tar.gz'],
])('names the archive for %s', (system, url, expected) => {
  const folder = temporaryFolder()
  const RELEASES = 'https://git.example/team/relt/releases/download'
  const env = { VERSION: '1.2.3', SHA256: sha256, URL: url, RELEASES, SYSTEM: system, FOLDER: 'cache' }
  expect(bash(folder, step('Name the archive').run, env).status).toBe(0)
  expect(readFileSync(join(folder, 'output'), 'utf8')).toContain(`url=${expected}\n`)
  for (const wrong of [{ VERSION: '' }, { VERSION: '1.2.3;id' }, { SHA256: 'abc' }, { SYSTEM: 'Linux-ARM' }])
    expect(bash(folder, step('Name the archive').run, { ...env, ...wrong }).status).toBe(1)
})

test('installs the archive if it has the checksum, from the cache, too', () => {
  const folder = folderWithCurl()
  const [UNPACKED, GITHUB_PATH] = ['unpacked', 'path'].map((each) => join(folder, each)) as [string, string]
  const env = { NAME: name, URL: 'https://x.example/a', FOLDER: 'cache', UNPACKED, GITHUB_PATH }
  const run = (given: string) => bash(folder, step('Install relt').run, { ...env, SHA256: given })
  expect(run('0'.repeat(64)).stderr).toContain(`has the SHA-256 ${sha256}, not`)
  expect([existsSync(env.GITHUB_PATH), existsSync(join(folder, 'cache/relt.tar.gz'))]).toEqual([false, false])
  expect([run(sha256).status, run(sha256).status]).toEqual([0, 0])
  expect(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')).toHaveLength(2)
  const [installed] = readFileSync(env.GITHUB_PATH, 'utf8').split('\n')
  expect(spawnSync(join(installed!, 'relt'), { encoding: 'utf8' }).stdout).toBe('1.2.3\n')

  writeFileSync(join(folder, 'cache/relt.tar.gz'), 'something else')
  expect(run(sha256).status).toBe(1)
})

test('the component for GitLab installs the archive if it has the checksum, and passes its inputs on as variables', () => {
  const [spec, job] = parseAllDocuments(read('templates/relt-gate/template.yml')).map((document) => {
    expect(document.errors).toEqual([])
    return document.toJS()
  })
  const gate = job['relt-gate']
  const used = [...JSON.stringify(job).matchAll(/\$\[\[ inputs\.([\w-]+) \]\]/g)].map(([, input]) => input)
  expect(used.sort()).toEqual(Object.keys(spec.spec.inputs).sort())
  expect(JSON.stringify([gate.before_script, gate.script])).not.toContain('$[[')
  const folder = folderWithCurl()
  mkdirSync(join(folder, 'tmp'))
  const script = `${gate.before_script.join('\n')}\nrelt`
  const run = (given: string) =>
    bash(folder, script, { RELT_ARCHIVE: 'https://x.example/a', RELT_SHA256: given, TMPDIR: join(folder, 'tmp') })
  expect(run(sha256)).toMatchObject({ status: 0, stdout: expect.stringContaining('1.2.3\n') })
  expect(run('0'.repeat(64)).status).not.toBe(0)
})
