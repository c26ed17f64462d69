import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { minimalEnv } from '../helpers/process.ts'

// GitHub's parser imports JSON as bundlers do; Node wants to be told that it is JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
})
const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser')

const root = fileURLToPath(new URL('../../', import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')
const name = '.github/workflows/release.yml'
const { jobs, permissions } = parse(read(name))

test('GitHub reads the release workflow', () => {
  const { context } = parseWorkflow({ name, content: read(name) }, new NoOperationTraceWriter())
  expect(context.errors.getErrors().map(String)).toEqual([])
})

test('only the job that a person approves may write and sign', () => {
  expect(permissions).toEqual({})
  const writing = Object.entries<{ permissions: Record<string, string>; environment?: string }>(jobs).filter(
    ([, job]) => Object.values(job.permissions).includes('write'),
  )
  expect(writing.map(([job, { environment }]) => [job, environment])).toEqual([['publish', 'release']])
})

test('what is published was built twice with equal checksums', () => {
  expect(jobs.build.strategy.matrix.copy).toEqual(['first', 'second'])
  expect([jobs.compare.needs, jobs.publish.needs]).toEqual(['build', 'compare'])
  expect(jobs.compare.steps.at(-1).run).toContain('cmp release-first/SHA256SUMS release-second/SHA256SUMS')
})

test('actions are pinned by their commits', () => {
  for (const file of [name, 'action.yml', 'templates/ci/github/workflow.yml']) {
    const used = [...read(file).matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, text]) => text)
    expect(used.length).toBeGreaterThan(0)
    for (const text of used) expect(text).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  }
})

test('no script of the workflow reads an expression as code', () => {
  for (const job of Object.values<{ steps: { run?: string }[] }>(jobs))
    for (const { run = '' } of job.steps) expect(run).not.toContain('${{')
})

const [uploading, ...following]: string[] = jobs.publish.steps.slice(-3).map(({ run }: { run: string }) => run.trim())

test('npm, which takes each version once, follows a complete draft of the release', () => {
  expect(uploading).toMatch(/gh release create .* --draft .* release\/\*$/)
  expect(following).toEqual([expect.stringMatching(/^npm publish /), expect.stringMatching(/^gh release edit /)])
})

test('the notes of a release are its section of the changelog', () => {
  const command = uploading!.split('\n')[0]!
  const folder = mkdtempSync(join(tmpdir(), 'relt-notes-'))
  const sections = [
    '## Unreleased',
    '- Later.',
    '## 1.2.0 - 2027-02-01',
    '### Fixed',
    '- This.',
    '## 1.2.0-rc.1 - 2027-01-01',
    '- Earlier.',
  ]
  writeFileSync(join(folder, 'CHANGELOG.md'), sections.join('\n'))
  execFileSync('sh', ['-c', command], { cwd: folder, env: { ...minimalEnv, GITHUB_REF_NAME: 'v1.2.0' } })
  expect(readFileSync(join(folder, 'notes.md'), 'utf8')).toBe('### Fixed\n- This.\n')
})
