import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/version.ts'
import { answer, freshMemory } from '../helpers/kubernetes/api-server.ts'
import type { ClusterState } from '../helpers/kubernetes/cluster-state.ts'
import { asNobody, folderOfNobody, proveProgram } from '../helpers/prove-program.ts'
import { pod } from '../scan/cluster.ts'

/** These install as root in fresh roots, and as `nobody` elsewhere. */
const isRoot = process.platform === 'linux' && process.arch === 'x64' && process.getuid?.() === 0
const has = (program: string) => spawnSync('which', [program]).status === 0
const minutes = 60_000

const work = mkdtempSync(join(tmpdir(), 'relt-release-'))
chmodSync(work, 0o755)
const out = join(work, 'first')
afterAll(() => rmSync(work, { recursive: true, force: true }))

/** Another program for the agent's image that needs no libraries, as the image has none. */
const kubectl = ['/usr/local/bin/kubectl', '/usr/bin/kubectl'].find((file) => existsSync(file))
const tools = kubectl ? ['--with', `kubectl=${kubectl}`] : []
/** Archives of two machines are made at the same time. */
const targets = ['linux-x64', 'win-x64'].flatMap((target) => ['--target', target])
const release = (folder: string) => execa('node', ['scripts/release/release.ts', '--out', folder, ...targets, ...tools])
const sizeMb = (file: string) => statSync(join(out, file)).size / 1e6

beforeAll(async () => {
  await release(out)
}, 30 * minutes)

test('a second release has equal checksums, and each form its size', { timeout: 30 * minutes }, async () => {
  await release(join(work, 'second'))
  const sums = readFileSync(join(out, 'SHA256SUMS'), 'utf8')
  expect(readFileSync(join(work, 'second/SHA256SUMS'), 'utf8')).toBe(sums)
  await execa('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: out })
  expect(sizeMb(`relt-${version}.tgz`)).toBeLessThan(6)
  expect(sizeMb(`relt-${version}-linux-x64`)).toBeLessThan(128)
  expect(sizeMb(`relt-${version}-linux-x64.tar.gz`)).toBeLessThan(48)
})

describe.runIf(isRoot)('a user without root installs', { timeout: 10 * minutes }, () => {
  test('the npm package', async () => {
    const folder = await folderOfNobody(work, 'npm')
    // `npm run` passes this setting of the repository on, with which npm does not make the folder that it installs into.
    const env = { HOME: folder, npm_config_cache: `${folder}/cache`, npm_config_strict_allow_scripts: 'false' }
    const [program, ...args] = [...asNobody, 'npm', 'install', '--global', '--prefix', folder]
    await execa(program!, [...args, join(out, `relt-${version}.tgz`)], { env })
    await proveProgram({ command: [...asNobody, `${folder}/bin/relt`], home: folder })
    expect(existsSync(`${folder}/lib/node_modules/relt/templates/ci/gitlab.yml`)).toBe(true)
  })

  test('the archives, whose program runs nothing of NODE_OPTIONS', async () => {
    for (const end of ['gz', 'zst']) {
      const folder = await folderOfNobody(work, end)
      const name = `relt-${version}-linux-x64`
      await execa('tar', ['-xf', join(out, `${name}.tar.${end}`), '-C', folder])
      await proveProgram({ command: [...asNobody, `${folder}/${name}/relt`], home: folder })
      const planted = `data:text/javascript,${encodeURIComponent("process.stdout.write('planted')")}`
      const { stdout } = await execa(`${folder}/${name}/relt`, ['--version'], {
        env: { NODE_OPTIONS: `--import=${planted}` },
      })
      expect(stdout).toBe(version)
    }
  })

  test('the executable by install.sh, which knows its own checksum', async () => {
    const folder = await folderOfNobody(work, 'script')
    const [program, ...args] = [...asNobody, 'sh', join(out, 'install.sh'), '--from', out]
    await execa(program!, args, { env: { HOME: folder } })
    const command = [...asNobody, `${folder}/.local/bin/relt`]
    await proveProgram({ command, home: folder })
  })
})

describe.runIf(isRoot && has('debootstrap'))('a fresh root takes', { timeout: 20 * minutes }, () => {
  const base = join(work, 'base')
  beforeAll(async () => {
    await execa('debootstrap', ['--variant=minbase', 'bookworm', base])
  }, 10 * minutes)

  /** Installs, runs as the package's user, upgrades to the same, removes; the data stays. */
  async function prove(name: string, commands: { install: string[]; upgrade: string[]; remove: string[] }) {
    const root = join(work, name)
    await execa('cp', ['-a', base, root])
    mkdirSync(join(root, 'packages'))
    for (const file of [`relt_${version}_amd64.deb`, `relt-${version}-1.x86_64.rpm`])
      cpSync(join(out, file), join(root, 'packages', file))
    const run = ([program, ...args]: string[]) => execa(program!, args)
    await run(commands.install.map((part) => part.replace('ROOT', root)))
    const home = '/var/lib/relt'
    const command = ['chroot', '--userspec=relt:relt', root, '/usr/bin/relt']
    await proveProgram({ command, home })
    writeFileSync(join(root, 'etc/relt/server.env'), '# changed\n')
    await run(commands.upgrade.map((part) => part.replace('ROOT', root)))
    expect(readFileSync(join(root, 'etc/relt/server.env'), 'utf8')).toBe('# changed\n')
    for (const unit of ['agent', 'server'])
      expect(existsSync(join(root, `etc/systemd/system/multi-user.target.wants/relt-${unit}.service`))).toBe(false)
    await run(commands.remove.map((part) => part.replace('ROOT', root)))
    expect(existsSync(join(root, 'usr/bin/relt'))).toBe(false)
    expect(existsSync(join(root, home, 'server/relt.db'))).toBe(true)
  }

  test('the deb', async () => {
    const file = `/packages/relt_${version}_amd64.deb`
    const dpkg = ['chroot', 'ROOT', 'env', 'DEBIAN_FRONTEND=noninteractive', 'dpkg', '--force-confold']
    await execa('chroot', [base, 'apt-get', 'install', '-y', '--no-install-recommends', 'libstdc++6'])
    await prove('deb', {
      install: [...dpkg, '--install', file],
      upgrade: [...dpkg, '--install', file],
      remove: [...dpkg, '--purge', 'relt'],
    })
  })

  test.runIf(has('rpm'))('the rpm', async () => {
    const file = join(out, `relt-${version}-1.x86_64.rpm`)
    // The libraries are those of Debian, which rpm does not know.
    const rpm = ['rpm', '--root', 'ROOT', '--dbpath', '/var/lib/rpm', '--nodeps']
    await prove('rpm', {
      install: [...rpm, '--install', file],
      upgrade: [...rpm, '--upgrade', '--force', file],
      remove: [...rpm, '--erase', 'relt'],
    })
  })

  test.runIf(has('lintian'))('a deb that lintian has nothing to say about', async () => {
    const { stdout } = await execa('lintian', [
      '--allow-root',
      '--fail-on',
      'error,warning',
      join(out, `relt_${version}_amd64.deb`),
    ])
    expect(stdout).toBe('')
  })
})

test.runIf(isRoot && has('umoci') && has('skopeo'))(
  'the image runs without root on a read-only root',
  { timeout: 10 * minutes },
  async () => {
    const [layout, bundle] = [join(work, 'layout'), join(work, 'bundle')]
    mkdirSync(layout)
    await execa('tar', ['-xf', join(out, `relt-${version}-image.tar`), '-C', layout])
    const { stdout } = await execa('skopeo', ['inspect', '--config', `oci:${layout}:${version}`])
    const { config } = JSON.parse(stdout)
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/bin/relt'],
      Env: expect.arrayContaining(['RELT_HOME=/data']),
    })
    await execa('umoci', ['unpack', '--image', `${layout}:${version}-amd64`, bundle])
    const root = join(bundle, 'rootfs')
    // A root that is mounted read-only, with a process 1 of its own, and a volume for the data.
    const script =
      'mount --bind "$0" "$0" && mount --bind "$0/data" "$0/data" && mount --bind "$0/tmp" "$0/tmp" && mount -o remount,bind,ro "$0" && exec chroot --userspec=65532:65532 "$0" /usr/bin/relt "$@"'
    const command = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', script, root]
    const env = { HOME: '/tmp' }
    const relt = (...args: string[]) =>
      execa(command[0]!, [...command.slice(1), ...args], {
        env: { ...env, RELT_HOME: '/data', RELT_KEYCHAIN: 'off' },
        reject: false,
      })
    expect(await relt('demo', '--no-pause')).toMatchObject({ exitCode: 0 })
    expect((await relt('no-such-command')).exitCode).toBe(2)
    expect(existsSync(join(root, 'bin/sh'))).toBe(false)
    await proveProgram({ command: ['chroot', '--userspec=65532:65532', root, '/usr/bin/relt'], home: '/data', env })
  },
)

test.runIf(isRoot && has('umoci'))(
  'the image reads a cluster, without root or another program',
  { timeout: 10 * minutes },
  async () => {
    const [layout, bundle] = [join(work, 'agent-layout'), join(work, 'agent-bundle')]
    mkdirSync(layout)
    await execa('tar', ['-xf', join(out, `relt-${version}-image.tar`), '-C', layout])
    await execa('umoci', ['unpack', '--image', `${layout}:${version}-amd64`, bundle])
    const root = join(bundle, 'rootfs')
    // A container's runtime makes it.
    mkdirSync(join(root, 'dev'), { recursive: true })
    await execa('mknod', ['-m', '666', join(root, 'dev/null'), 'c', '1', '3'])
    const image = 'registry.example/shop/web:1.2.3'
    const api = await serveCluster({
      version: 'v1.33.4',
      resources: [],
      objects: { pods: [pod('web-0', [image], { owner: { kind: 'StatefulSet', name: 'web' } })] },
    })
    const kubeconfig = {
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'main' },
      clusters: [{ name: 'main', cluster: { server: api } }],
      users: [{ name: 'main', user: { token: 'any' } }],
      contexts: [{ name: 'main', context: { cluster: 'main', user: 'main' } }],
    }
    writeFileSync(join(root, 'tmp/kubeconfig'), JSON.stringify(kubeconfig), { mode: 0o644 })
    const { stdout } = await execa(
      'chroot',
      ['--userspec=65532:65532', root, '/usr/bin/relt', 'scan', 'inventory', '--json'],
      {
        env: {
          PATH: '/usr/local/bin:/usr/bin:/usr/sbin',
          HOME: '/tmp',
          RELT_HOME: '/data',
          KUBECONFIG: '/tmp/kubeconfig',
        },
      },
    )
    expect(stdout).toContain(image)
  },
)

/** The double of an API server, over HTTP. Returns its address. */
async function serveCluster(state: ClusterState): Promise<string> {
  const memory = freshMemory()
  const server = createServer(async (request, response) => {
    const { method = 'GET', url: path = '/' } = request
    const sent = Buffer.concat(await request.toArray()).toString()
    const { status, headers, body } = answer(state, memory, { method, path, body: sent && JSON.parse(sent) })
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers })
    response.end(isText ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
