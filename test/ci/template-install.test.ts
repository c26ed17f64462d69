import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { temporaryFolder } from '../helpers/cli.ts'

interface Step {
  name?: string
  displayName?: string
  run?: string
  script?: string
}

const read = (file: string) => readFileSync(new URL(`../../templates/ci/${file}`, import.meta.url), 'utf8')
const isInstallation = ({ name, displayName }: Step) => (name ?? displayName) === 'Install relt'
const jenkinsLines = () => [
  ...read('Jenkinsfile')
    .split("stage('Scan')")[0]!
    .matchAll(/\bsh '(.*)'/g),
]

/** The script that installs relt, as the system runs it. */
const scripts: Record<string, () => string> = {
  'gitlab.yml': () => `set -e\n${parse(read('gitlab.yml'))['relt-gate'].before_script.join('\n')}\ncommand -v relt`,
  'azure-pipelines.yml': () => parse(read('azure-pipelines.yml')).steps.find(isInstallation).script,
  'github/workflow.yml': () => `set -e\n${parse(read('github/workflow.yml')).jobs.gate.steps.find(isInstallation).run}`,
  Jenkinsfile: () =>
    `set -e\n${jenkinsLines()
      .map(([, line]) => line)
      .join('\n')}`,
}

/** `file` is where the script put the executable; undefined if it stopped. `told` is what it said about the place. */
function install(template: string, sha256: string) {
  const folder = temporaryFolder()
  // Writes to the file that the option --output names, the last but one of its arguments.
  writeFileSync(
    join(folder, 'curl'),
    '#!/bin/sh\nwhile [ $# -gt 2 ]; do shift; done\nprintf relt > "$1"; echo "$1" > file\n',
    {
      mode: 0o755,
    },
  )
  const env = { PATH: `${folder}:${process.env.PATH}`, RELT_EXECUTABLE: 'https://x.example/relt', RELT_SHA256: sha256 }
  const options = { cwd: folder, stdio: 'pipe', env: { ...env, GITHUB_PATH: join(folder, 'path') } } as const
  let told: string
  try {
    told = execFileSync('sh', ['-c', scripts[template]!()], options).toString()
  } catch {
    return { file: undefined, told: '' }
  }
  if (existsSync(join(folder, 'path'))) told += readFileSync(join(folder, 'path'), 'utf8')
  return { file: resolve(folder, readFileSync(join(folder, 'file'), 'utf8').trim()), told }
}

test.each(Object.keys(scripts))('%s installs the executable if it has the checksum', (template) => {
  const sha256 = createHash('sha256').update('relt').digest('hex')
  const { file, told } = install(template, sha256)
  expect(statSync(file!).mode & 0o777).toBe(0o755)
  const onPath = {
    'gitlab.yml': `${file}\n`,
    'azure-pipelines.yml': `##vso[task.prependpath]${resolve(file!, '..')}\n`,
    'github/workflow.yml': `${resolve(file!, '..')}\n`,
    Jenkinsfile: '',
  }[template]
  expect(told).toContain(onPath)
  for (const wrong of ['', '0'.repeat(64), 'checksum of the executable']) {
    expect(install(template, wrong).file).toBeUndefined()
  }
})

test('the Jenkinsfile calls the executable that it installed', () => {
  expect(read('Jenkinsfile')).toContain("sh '.relt-bin/relt ci ")
  expect(jenkinsLines().at(-1)![1]).toBe('chmod 755 .relt-bin/relt')
})
