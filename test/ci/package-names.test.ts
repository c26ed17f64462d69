import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** Commands that take a name from a registry where anybody may publish it. */
const installs = [
  /\b(?:npm (?:install|i|add|exec)|npx|pnpm (?:add|dlx)|yarn (?:global )?(?:add|dlx)|bunx?(?: add)?)\b/,
  /\b(?:pipx?(?:3)? (?:install|run)|uvx|uv tool install|cargo install|gem install|go install|brew install)\b/,
  /\b(?:choco|winget|scoop|dnf|yum|apt|apt-get|snap|zypper) install\b|\bapk add\b|\bkrew install\b/,
  /\b(?:docker|podman|nerdctl) (?:pull|run)\b/,
]
const install = new RegExp(`(?:${installs.map(({ source }) => source).join('|')})([^\\n]*)`, 'g')

/** Of others, who publish them under these names. */
const published = /^(?:vitest|chromium|schemathesis==[\d.]+|ghcr\.io\/kubedeckio\/kubebuddy)$/
/** A file, given by its path or in a variable; a file that is downloaded has its checksum checked first. */
const file = /^["']?(?:\.{0,2}\/|\$)/

/** The first word that is not an option, of each command that installs something. */
function installedIn(text: string): string[] {
  return [...text.matchAll(install)].map(([, rest = '']) => {
    const words = rest.split(/[;&|]/, 1)[0]!.match(/[^\s`'),]+/g) ?? []
    return words.find((word) => !word.startsWith('-')) ?? ''
  })
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const places = ['*.md', 'package.json', '.ci/run', '{docs,templates,examples,scripts,bin}/**/*', 'src/**/*.ts']
const files = globSync(places, { cwd: root, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`)

test('no template and no page installs a package by a name that is not ours', () => {
  const names = files.flatMap((path) => installedIn(readFileSync(path, 'utf8')))
  expect(names).toContain('./relt.tgz.')
  expect(names.filter((name) => !published.test(name) && !file.test(name))).toEqual([])
})

test.each([
  ['npm install --global relt', 'relt'],
  ['      run: npm install --global "relt@$VERSION"', '"relt@$VERSION"'],
  ['relt comes from npm (npm install --global relt), or', 'relt'],
  ['npx relt demo', 'relt'],
  ['Or `brew install relt`.', 'relt'],
  ['docker run --rm relt/relt:1 demo', 'relt/relt:1'],
  ['npm install --global ./relt.tgz && relt demo', './relt.tgz'],
])('finds the name in %s', (text, name) => {
  expect(installedIn(text)).toEqual([name])
})

test('templates name no image of a registry', () => {
  const images = files
    .filter((path) => path.includes('/templates/'))
    .flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/^\s*image: (\S+)$/gm)].map(([, image]) => image))
  expect(images).toEqual([])
})
