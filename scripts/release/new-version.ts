import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'

interface NewVersion {
  version: string
  tag: string
  /** Path → new content. */
  files: Map<string, string>
}

/** Files that state the version, each with what comes before it. The lock file has it at two depths. */
export const statedIn: Record<string, RegExp[]> = {
  'package.json': [/^ {2}"version": "/m],
  'package-lock.json': [/^ {2}"version": "/m, /^ {6}"version": "/m],
  'src/version.ts': [/^export const version = '/m],
  'charts/relt/Chart.yaml': [/^version: /m, /^appVersion: /m],
  'docs/install.md': [/\brelt[-_:]/g, /\blayout:/g],
}

const git = (folder: string, ...args: string[]) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).trim()

/** Throws if there is nothing to release, or if it cannot be released from this state of the folder. */
export function planVersion(folder: string, wanted: string, date: string): NewVersion {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  const current: string = JSON.parse(read('package.json')).version
  const version = versionAfter(current, wanted)
  const tag = `v${version}`
  if (git(folder, 'tag', '--list', tag)) throw new Error(`The tag ${tag} exists. Choose a higher version.`)
  if (git(folder, 'status', '--porcelain'))
    throw new Error('There are uncommitted changes. Commit or stash them first.')
  const files = new Map(
    Object.entries(statedIn).map(([path, places]) => [path, restate(path, read(path), places, current, version)]),
  )
  files.set('CHANGELOG.md', moveUnreleased(read('CHANGELOG.md'), `${version} - ${date}`))
  return { version, tag, files }
}

/** The current version may be released if it has no tag yet. */
function versionAfter(current: string, wanted: string): string {
  if (wanted === 'major' || wanted === 'minor' || wanted === 'patch') return semver.inc(current, wanted)!
  if (!/^\d+\.\d+\.\d+$/.test(wanted) || !semver.valid(wanted)) {
    throw new Error(`${wanted} is no version. Write major, minor, patch or X.Y.Z.`)
  }
  if (semver.lt(wanted, current)) throw new Error(`${wanted} is lower than ${current}, the current version.`)
  return wanted
}

function restate(path: string, text: string, places: RegExp[], current: string, version: string): string {
  return places.reduce((before, { source, flags }) => {
    const place = new RegExp(`(?<=${source})${RegExp.escape(current)}(?!\\d|\\.\\d)`, flags)
    if (before.search(place) < 0) throw new Error(`${path} does not state the version ${current} after ${source}.`)
    return before.replace(place, version)
  }, text)
}

function moveUnreleased(changelog: string, title: string): string {
  const [, before, section] = /^(.*?^## Unreleased\n)(.*?)(?=^## |(?![\s\S]))/ms.exec(changelog) ?? []
  if (before === undefined || !/^- /m.test(section!)) throw new Error('CHANGELOG.md has no entries under "Unreleased".')
  return `${before}\n## ${title}\n${section}${changelog.slice(before.length + section!.length)}`
}

/** What `writeVersion` would change, as the lines that go and come. */
export function describeVersion(folder: string, { files, version, tag }: NewVersion): string {
  const changes = [...files].flatMap(([path, text]) => {
    const lines = changedLines(readFileSync(join(folder, path), 'utf8').split('\n'), text.split('\n'))
    return lines.length > 0 ? [path, ...lines] : []
  })
  return [...changes, `commit "Release ${version}", tag ${tag}`].join('\n')
}

/** Of the changelog, which only grows, the lines that come. */
function changedLines(before: string[], after: string[]): string[] {
  if (before.length !== after.length) return after.filter((line) => !before.includes(line)).map((line) => `  + ${line}`)
  return after.flatMap((line, at) => (line === before[at] ? [] : [`  - ${before[at]!.trim()}`, `  + ${line.trim()}`]))
}

/** Leaves the files as they were if git refuses the commit. */
export function writeVersion(folder: string, { files, version, tag }: NewVersion): void {
  const paths = [...files.keys()]
  try {
    for (const [path, text] of files) writeFileSync(join(folder, path), text)
    git(folder, 'commit', '--quiet', '--message', `Release ${version}`, '--', ...paths)
  } catch (error) {
    git(folder, 'restore', '--staged', '--worktree', '--', ...paths)
    throw error
  }
  git(folder, 'tag', '--annotate', tag, '--message', `relt ${version}`)
}
