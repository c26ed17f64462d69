import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { gzip, tar } from '../../scripts/release/tar.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { minimalEnv, reltScript } from '../helpers/process.ts'
import { smallReports } from '../helpers/small-store.ts'

const read = (file: string) => readFileSync(new URL(`../../templates/${file}`, import.meta.url), 'utf8')
interface Step {
  run?: string
  script?: string
}

/** The scripts of a template, one for each step, in their order. */
const templates: Record<string, () => (string | undefined)[]> = {
  'ci/gitlab.yml': () => [toScript(parse(read('ci/gitlab.yml')))],
  'relt-gate/template.yml': () => [toScript(parseAllDocuments(read('relt-gate/template.yml'))[1]!.toJS())],
  'ci/azure-pipelines.yml': () => parse(read('ci/azure-pipelines.yml')).steps.map(({ script }: Step) => script),
  'ci/github/workflow.yml': () => parse(read('ci/github/workflow.yml')).jobs.gate.steps.map(({ run }: Step) => run),
  'ci/Jenkinsfile': () => [...read('ci/Jenkinsfile').matchAll(/\bsh '(.*)'/g)].map(([, line]) => line),
}

/** GitLab runs both parts in one shell. */
function toScript({ 'relt-gate': job }: Record<string, Record<string, string[]>>): string {
  return [...job!.before_script!, ...job!.script!].join('\n')
}

/** A `curl` that writes the executable or its archive, and a `kubebuddy` that writes a report. Returns the checksums. */
async function programs(folder: string) {
  const archive = await gzip(tar([{ path: 'r' }, { path: 'r/relt', data: reltScript, mode: 0o755 }], 1))
  const served = { executable: reltScript, archive }
  for (const [name, data] of Object.entries(served)) writeFileSync(join(folder, name), data)
  const [curl, kubebuddy] = [
    `while [ "$1" != --output ]; do shift; done\ncase $3 in *.gz) from=archive;; *) from=executable;; esac\ncp '${folder}/'$from "$2"`,
    `mkdir -p "$5" && cp '${folder}/scanned.json' "$5/kubebuddy-report-1.json"`,
  ]
  mkdirSync(join(folder, 'bin'))
  for (const [name, script] of Object.entries({ curl, kubebuddy }))
    writeFileSync(join(folder, 'bin', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return Object.fromEntries(
    Object.entries(served).map(([name, data]) => [name, createHash('sha256').update(data).digest('hex')]),
  )
}

/** What each system sets, by which relt knows that it runs in a pipeline. */
const systems: Record<string, Record<string, string>> = {
  'ci/gitlab.yml': { GITLAB_CI: 'true' },
  'relt-gate/template.yml': { GITLAB_CI: 'true' },
  'ci/azure-pipelines.yml': { TF_BUILD: 'True' },
  'ci/github/workflow.yml': { GITHUB_ACTIONS: 'true' },
  'ci/Jenkinsfile': { JENKINS_URL: 'https://jenkins.example' },
}

const [, first, second] = smallReports

test.each(Object.keys(templates))('the scripts of %s install relt, scan, and give the verdict', async (template) => {
  const folder = temporaryFolder()
  const sums = await programs(folder)
  const work = join(folder, 'a work')
  mkdirSync(work)

  /** Returns the exit code of the script that ended it, else 0. */
  const runPipeline = (report: unknown, policy: string) => {
    writeFileSync(join(folder, 'scanned.json'), JSON.stringify(report))
    writeFileSync(join(work, 'report.json'), JSON.stringify(report))
    writeFileSync(join(work, 'relt.yaml'), `gate:\n  fail_on: ["new>=critical"]\n${policy}`)
    let path = `${folder}/bin:${process.env.PATH}`
    let said = ''
    for (const script of templates[template]!()) {
      if (script === undefined) continue
      const { status, stdout, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
        cwd: work,
        encoding: 'utf8',
        env: {
          ...minimalEnv,
          ...systems[template],
          ...{ PATH: path, HOME: folder, RELT_HOME: join(folder, 'home'), RELT_KEYCHAIN: 'off', TMPDIR: folder },
          ...{ RELT_MASTER_KEY: '0123456789abcdef'.repeat(4), GITHUB_PATH: join(folder, 'path') },
          ...{ RELT_EXECUTABLE: 'https://x.example/relt', RELT_ARCHIVE: 'https://x.example/relt.tar.gz' },
          RELT_SHA256: sums[template.startsWith('ci/') ? 'executable' : 'archive'],
          ...{ RELT_REPORT: 'report.json', RELT_POLICY: 'relt.yaml', RELT_COMMENT: 'false' },
        },
      })
      said += stdout + stderr
      if (status !== 0) return { code: status, said }
      const added = existsSync(join(folder, 'path')) ? readFileSync(join(folder, 'path'), 'utf8') : stdout
      const prepended = /^(?:##vso\[task\.prependpath\])?(\/\S+)$/m.exec(added)?.[1]
      if (prepended) path = `${prepended}:${path}`
    }
    return { code: 0, said }
  }

  const line = 'begin: 2026-08-24'
  const before = runPipeline(first, '')
  expect(before).toMatchObject({ code: 6, said: expect.stringContaining(`under gate: ${line}`) })
  expect(runPipeline(first, `  ${line}\n`)).toMatchObject({ code: 0 })
  for (const _ of [1, 2]) {
    expect(runPipeline(second, `  ${line}\n`)).toMatchObject({ code: 5, said: expect.stringContaining('SEC014') })
  }
  expect(readFileSync(join(work, 'relt.xml'), 'utf8')).toContain('<testsuite')
})
