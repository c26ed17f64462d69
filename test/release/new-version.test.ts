import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, test as base, beforeEach, expect } from 'vitest'
import { describeVersion, planVersion, statedIn, writeVersion } from '../../scripts/release/new-version.ts'
import { version } from '../../src/version.ts'
import { hasGit } from '../helpers/machine.ts'

const test = base.skipIf(!hasGit)
const root = fileURLToPath(new URL('../../', import.meta.url))
const day = '2027-01-31'
const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n- One thing.\n\n## 0.0.9 - 2026-01-01\n- Another.\n'

let folder: string
const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()
const read = (path: string) => readFileSync(join(folder, path), 'utf8')
function commit(path: string, text: string) {
  writeFileSync(join(folder, path), text)
  git('add', path)
  git('commit', '--quiet', '--message', path)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'relt-version-'))
  for (const path of Object.keys(statedIn)) cpSync(join(root, path), join(folder, path))
  git('init', '--quiet')
  git('config', 'user.name', 'Test')
  git('config', 'user.email', 'test@example.org')
  git('add', '.')
  commit('CHANGELOG.md', changelog)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the next version is stated in every file, committed and tagged', () => {
  writeVersion(folder, planVersion(folder, '12.3.4', day))
  expect(JSON.parse(read('package.json')).version).toBe('12.3.4')
  const lock = JSON.parse(read('package-lock.json'))
  expect([lock.version, lock.packages[''].version]).toEqual(['12.3.4', '12.3.4'])
  expect(read('src/version.ts')).toContain(`version = '12.3.4'`)
  expect(read('charts/relt/Chart.yaml')).toMatch(/^version: 12\.3\.4\nappVersion: 12\.3\.4$/m)
  for (const path of Object.keys(statedIn)) expect(read(path)).not.toMatch(statement(version))
  expect(git('status', '--porcelain')).toBe('')
  expect(git('log', '-1', '--format=%s %D')).toMatch(/^Release 12\.3\.4 .*tag: v12\.3\.4/)
})

test('the entries under "Unreleased" move into a section with a date', () => {
  writeVersion(folder, planVersion(folder, 'minor', day))
  const [, released] = read('CHANGELOG.md').split('## Unreleased\n\n')
  const title = JSON.parse(read('package.json')).version
  expect(released).toBe(`## ${title} - ${day}\n\n### Added\n- One thing.\n\n## 0.0.9 - 2026-01-01\n- Another.\n`)
})

test('only the version of relt changes in the lock file', () => {
  writeVersion(folder, planVersion(folder, 'patch', day))
  expect(git('diff', '--numstat', 'HEAD~', '--', 'package-lock.json')).toMatch(/^2\t2\t/)
})

test('a version without a tag can be released as it is, once', () => {
  writeVersion(folder, planVersion(folder, version, day))
  commit('CHANGELOG.md', changelog)
  expect(() => planVersion(folder, version, day)).toThrow(`The tag v${version} exists`)
})

test('lists the files that change, and no other', () => {
  const listed = (wanted: string) => describeVersion(folder, planVersion(folder, wanted, day)).match(/^\S+\.\w+$/gm)
  expect(listed(version)).toEqual(['CHANGELOG.md'])
  expect(listed('12.3.4')).toEqual([...Object.keys(statedIn), 'CHANGELOG.md'])
})

test.each([
  ['0.0.1', 'lower than'],
  ['1.2', 'is no version'],
  ['v1.2.3', 'is no version'],
  ['01.2.3', 'is no version'],
])('refuses the version %s', (wanted, message) => {
  expect(() => planVersion(folder, wanted, day)).toThrow(message)
})

test('refuses uncommitted changes', () => {
  writeFileSync(join(folder, 'forgotten.ts'), '')
  expect(() => planVersion(folder, 'minor', day)).toThrow('uncommitted changes')
})

test.each([
  ['without entries', '# Changelog\n\n## Unreleased\n\n### Added\n\n## 0.0.9 - 2026-01-01\n- Another.\n'],
  ['that is missing', '# Changelog\n\n## 0.0.9 - 2026-01-01\n- Another.\n'],
])('refuses a section %s', (_, text) => {
  commit('CHANGELOG.md', text)
  expect(() => planVersion(folder, 'minor', day)).toThrow('no entries under "Unreleased"')
})

test('refuses a file that does not state the current version', () => {
  commit('src/version.ts', `export const version = '9.9.9'\n`)
  expect(() => planVersion(folder, 'minor', day)).toThrow('src/version.ts does not state the version')
})

test('a commit that git refuses leaves the files as they were', () => {
  const plan = planVersion(folder, 'minor', day)
  writeFileSync(join(folder, '.git/hooks/pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  expect(() => writeVersion(folder, plan)).toThrow()
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', ''])
})

test('without --write, the command only shows what would change', () => {
  const args = [join(root, 'scripts/version.ts'), '12.3.4']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })
  expect([status, git('status', '--porcelain'), git('tag')]).toEqual([0, '', ''])
  expect(stdout).toContain(
    `src/version.ts\n  - export const version = '${version}'\n  + export const version = '12.3.4'`,
  )
  expect(stdout).toContain('commit "Release 12.3.4", tag v12.3.4\nNothing was changed')
})

/** Names of files and images with the version. */
function statement(stated: string): RegExp {
  return new RegExp(`\\b(?:relt[-_:]|layout:)${RegExp.escape(stated)}(?!\\d|\\.\\d)`)
}

test('no other page, template or chart states the version', () => {
  const files = globSync('{*.md,*.yml,{docs,templates,charts,examples,bin,.github}/**/*.*}', { cwd: root })
  const stating = files.filter((path) => statement(version).test(readFileSync(join(root, path), 'utf8')))
  expect(stating.sort()).toEqual(['docs/install.md'])
})
