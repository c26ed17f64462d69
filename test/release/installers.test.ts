import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { addChart } from '../../scripts/release/chart.ts'
import { addInstallers } from '../../scripts/release/installers.ts'
import { addProvenance } from '../../scripts/release/provenance.ts'
import { addArtifact, type Release } from '../../scripts/release/release-folder.ts'
import { releaseOptions } from '../../scripts/release/release-options.ts'
import { writeSums } from '../../scripts/release/sums.ts'
import { gzip, tar } from '../../scripts/release/tar.ts'
import type { TargetName } from '../../scripts/release/targets.ts'
import { temporaryFolder } from '../helpers/cli.ts'

const url = 'https://downloads.example/relt/v1.2.3'
const targets: TargetName[] = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'win-x64']

/** Archives with a script in place of the executable, in the order in which they are done. */
async function smallRelease(done = targets): Promise<Release> {
  const out = mkdtempSync(join(tmpdir(), 'relt-test-'))
  afterAll(() => rmSync(out, { recursive: true }))
  const options = releaseOptions(['--out', out, '--url', url, '--registry', 'images.example/team'], '1.2.3', {
    SOURCE_DATE_EPOCH: '1780000000',
  })
  const release: Release = { ...options, version: '1.2.3', artifacts: [], missing: [] }
  for (const target of done) {
    const root = `relt-1.2.3-${target}`
    const program = { path: `${root}/relt`, data: '#!/bin/sh\necho 1.2.3\n', mode: 0o755 }
    const data = await gzip(tar([{ path: root }, program], release.time))
    addArtifact(release, { form: 'archive', file: `${root}.tar.gz`, target, data })
  }
  addInstallers(release)
  await addChart(release, { relt: `sha256:${'a'.repeat(64)}` })
  addProvenance(release, {})
  writeSums(release)
  return release
}

const release = await smallRelease()
const read = (file: string) => readFileSync(join(release.out, file), 'utf8')

interface Machine {
  system?: string
  machine?: string
}

/** install.sh with a `uname` that names another machine. */
function install({ system = 'Linux', machine = 'x86_64' }: Machine, from = release.out) {
  const folder = temporaryFolder()
  const uname = `#!/bin/sh\ncase $1 in -s) echo ${system};; *) echo ${machine};; esac\n`
  writeFileSync(join(folder, 'uname'), uname, { mode: 0o755 })
  const to = join(folder, 'bin')
  const { status, stdout, stderr } = spawnSync('sh', [join(release.out, 'install.sh'), '--from', from, '--to', to], {
    env: { PATH: `${folder}:${process.env.PATH}`, HOME: folder },
  })
  return { status, text: `${stdout}${stderr}`, to: join(to, 'relt') }
}

test('install.sh installs the archive of this machine for one user', () => {
  const { status, text, to } = install({})
  expect([status, text]).toEqual([0, expect.stringContaining('version 1.2.3.')])
  expect(text).toContain('is not on your PATH')
  expect(statSync(to).mode & 0o777).toBe(0o755)
  expect(execFileSync(to).toString()).toBe('1.2.3\n')
  expect(install({ system: 'Darwin', machine: 'arm64' }).status).toBe(0)
})

test('install.sh refuses an archive of another checksum', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'relt-1.2.3-linux-x64.tar.gz'), 'something else')
  const { status, text } = install({}, folder)
  expect([status, text]).toEqual([
    1,
    expect.stringMatching(/relt was not installed: .* has the SHA-256 [0-9a-f]{64}, not /),
  ])
})

/** install.sh in a folder with a space, with these programs before the others on PATH. */
function installInto(to: string, programs: Record<string, string>, ...args: string[]) {
  const folder = join(temporaryFolder(), 'a folder')
  const bin = join(folder, 'bin')
  mkdirSync(join(folder, 'tmp'), { recursive: true })
  mkdirSync(bin)
  for (const [name, script] of Object.entries({
    uname: 'case $1 in -s) echo Linux;; *) echo x86_64;; esac',
    ...programs,
  }))
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, TMPDIR: join(folder, 'tmp') }
  const { status, stdout, stderr } = spawnSync('sh', [join(release.out, 'install.sh'), '--to', to, ...args], { env })
  expect(readdirSync(join(folder, 'tmp'))).toEqual([])
  return { status, text: `${stdout}${stderr}` }
}

const fileFor = (name: string) => `'${join(release.out, 'relt-1.2.3-linux-x64.tar.gz')}' "$${name}"`

test('install.sh downloads with wget where curl is not', () => {
  const to = join(temporaryFolder(), 'a bin')
  const bare = temporaryFolder()
  for (const name of ['sh', 'cp', 'mv', 'rm', 'mkdir', 'mktemp', 'chmod', 'grep', 'ls', 'tar', 'gzip', 'sha256sum'])
    symlinkSync(
      execFileSync('sh', ['-c', `command -v ${name}`])
        .toString()
        .trim(),
      join(bare, name),
    )
  const wget = `echo "$4" >&2; /bin/cp ${fileFor('3')}`
  const path = process.env.PATH
  try {
    process.env.PATH = bare
    expect(installInto(to, { wget })).toMatchObject({ status: 0, text: expect.stringContaining(`${url}/relt-1.2.3-`) })
  } finally {
    process.env.PATH = path
  }
  expect(execFileSync(join(to, 'relt')).toString()).toBe('1.2.3\n')
})

test.each([
  [
    'a download that ends early',
    { curl: 'while [ "$1" != --output ]; do shift; done; echo part > "$2"' },
    [],
    'has the SHA-256',
  ],
  ['a download that fails', { curl: 'exit 22' }, [], 'cannot be downloaded'],
  ['an address without encryption', {}, ['--from', 'http://x.example/relt'], 'is not encrypted'],
  ['a folder that has no archive', {}, ['--from', '/nonexistent'], 'has no relt-1.2.3-linux-x64.tar.gz'],
  ['a signal', { curl: 'kill -TERM $PPID; sleep 0.2' }, [], ''],
])('install.sh leaves an older relt as it is after %s', (_, programs, args, message) => {
  const to = temporaryFolder()
  writeFileSync(join(to, 'relt'), 'older')
  const { status, text } = installInto(to, programs, ...args)
  expect([status === 0, text]).toEqual([false, expect.stringContaining(message)])
  expect([readdirSync(to), readFileSync(join(to, 'relt'), 'utf8')]).toEqual([['relt'], 'older'])
})

test('install.sh replaces an older relt, and no folder', () => {
  const to = temporaryFolder()
  const curl = `while [ "$1" != --output ]; do shift; done; cp ${fileFor('2')}`
  writeFileSync(join(to, 'relt'), 'older')
  expect(installInto(to, { curl }).status).toBe(0)
  expect(execFileSync(join(to, 'relt')).toString()).toBe('1.2.3\n')
  rmSync(join(to, 'relt'))
  mkdirSync(join(to, 'relt'))
  expect(installInto(to, { curl }).text).toContain('is a folder')
  expect(readdirSync(join(to, 'relt'))).toEqual([])
})

test.each([
  [{ machine: 'riscv64' }, 'no executable for riscv64'],
  [{ system: 'SunOS' }, 'no executable for SunOS'],
  [{ system: 'Darwin' }, 'no executable for darwin-x64'],
])('install.sh names the npm package where no executable runs: %j', (machine, message) => {
  const { status, text } = install(machine)
  expect([status, text]).toEqual([1, expect.stringContaining(message)])
  expect(text).toContain('use the npm package')
})

test('the formula and the krew manifest name each archive by its checksum', () => {
  const sums = new Map(
    read('SHA256SUMS')
      .split('\n')
      .map((line) => [line.slice(66), line.slice(0, 64)]),
  )
  const formula = read('relt.rb')
  const named = [...formula.matchAll(/url "(.*)"\n\s+sha256 "(.*)"/g)].map(([, address, sum]) => [address, sum])
  expect(named).toEqual(
    ['darwin-arm64', 'linux-arm64', 'linux-x64'].map((target) => {
      const file = `relt-1.2.3-${target}.tar.gz`
      return [`${url}/${file}`, sums.get(file)]
    }),
  )
  const { spec } = parse(read('krew.yaml'))
  expect(spec.version).toBe('v1.2.3')
  expect(spec.platforms.map(({ selector }: { selector: object }) => selector)).toContainEqual({
    matchLabels: { os: 'windows', arch: 'amd64' },
  })
  for (const { uri, sha256 } of spec.platforms) expect(sums.get(uri.slice(url.length + 1))).toBe(sha256)
})

test('the packed chart names the image of the release by its digest', () => {
  const file = join(release.out, 'relt-1.2.3-chart.tgz')
  const values = parse(execFileSync('tar', ['-xzOf', file, 'relt/values.yaml']).toString())
  expect(values.server.image).toMatchObject({
    repository: 'images.example/team/relt',
    digest: `sha256:${'a'.repeat(64)}`,
  })
  expect(values.agent.image.repository).toBe('images.example/team/relt-agent')
  const names = execFileSync('tar', ['-tzf', file]).toString()
  for (const name of ['relt/Chart.yaml', 'relt/values.schema.json', 'relt/templates/agent.yaml'])
    expect(names).toContain(name)
})

test('the same files, made in another order, are the same release', async () => {
  const { out } = await smallRelease(targets.toReversed())
  for (const file of readdirSync(release.out)) expect(readFileSync(join(out, file), 'utf8'), file).toBe(read(file))
})

test('files have names of their own, in one folder', () => {
  const add = (file: string) => addArtifact(release, { form: 'sbom', file, data: '' })
  expect(() => add('sbom/relt.cdx.json')).toThrow('no folders')
  expect(() => add('relt-1.2.3-chart.tgz')).toThrow('Two files are called relt-1.2.3-chart.tgz')
  expect(read('SHA256SUMS').match(/^[0-9a-f]{64} {2}[\w.-]+$/gm)).toHaveLength(release.artifacts.length)
})

test('sha256sum checks SHA256SUMS', () => {
  expect(execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release.out }).toString()).toBe('')
  writeFileSync(join(release.out, 'relt.rb'), 'changed')
  expect(spawnSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release.out }).status).not.toBe(0)
})
