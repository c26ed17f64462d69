import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { KubeCluster } from '../../src/kube/cluster.ts'
import { findTarget, toKubeconfig } from '../../src/kube/kubeconfig.ts'
import { listKind } from '../../src/kube/list-kind.ts'
import { discover } from '../../src/kube/resources.ts'
import { readServerVersion } from '../../src/kube/server-version.ts'
import { proxyFor } from '../../src/util/proxies.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { canMakeCertificates, openTlsServer } from '../helpers/tls-server.ts'

async function open(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const version: RequestListener = (_, response) => response.end('{"gitVersion":"v1.36.3"}')

/** A home with a kubeconfig of one cluster and user. */
function writeConfig(cluster: object, user: object = {}, name = 'main') {
  const home = temporaryFolder()
  mkdirSync(join(home, '.kube'))
  const config = {
    'current-context': name,
    contexts: [{ name, context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    clusters: [{ name: 'c', cluster }],
    users: [{ name: 'u', user }],
  }
  writeFileSync(join(home, '.kube', 'config'), JSON.stringify(config))
  return { HOME: home, PATH: process.env.PATH }
}

describe('a kubeconfig', () => {
  test('is merged from several files: the first that has a name wins, and one may be missing', () => {
    const folder = temporaryFolder()
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const first = write('a', 'contexts: [{name: arn:aws:eks:eu-1:1:cluster/a, context: {cluster: c, user: u}}]')
    const second = write(
      'b',
      `current-context: 'a@b: c'
contexts: [{name: 'a@b: c', context: {cluster: d, namespace: pay}}, {name: arn:aws:eks:eu-1:1:cluster/a, context: {cluster: d}}]
clusters: [{name: c, cluster: {server: 'https://[fd00::1]:6443', certificate-authority: ca.crt}}, {name: d, cluster: {server: http://d}}]
users: [{name: u, user: {tokenFile: token}}]`,
    )
    const env = { KUBECONFIG: [first, join(folder, 'gone'), second].join(delimiter) }
    expect(findTarget(env, undefined)).toMatchObject({ context: 'a@b: c', namespace: 'pay', user: {} })
    expect(findTarget(env, 'arn:aws:eks:eu-1:1:cluster/a')).toMatchObject({
      cluster: { server: 'https://[fd00::1]:6443', 'certificate-authority': join(folder, 'ca.crt') },
      user: { tokenFile: join(folder, 'token') },
    })
    expect(() => findTarget(env, 'x')).toThrow('No kubeconfig has the context x.')
  })

  test('that is none is refused without a word of its content', () => {
    const file = join(temporaryFolder(), 'config')
    for (const text of ['users: [{name: u, user: {token: hunter2}', '[1]', 'a: &a [*a]\ntoken: hunter2: x']) {
      writeFileSync(file, text)
      const error = expectError(() => findTarget({ KUBECONFIG: file }, undefined))
      expect(error).toMatchObject({ code: 'usage' })
      expect(error.message).not.toContain('hunter2')
    }
  })

  test('for another program holds the content of its files', () => {
    const folder = temporaryFolder()
    for (const name of ['ca', 'cert', 'key', 'token']) writeFileSync(join(folder, name), `of ${name}`)
    const env = writeConfig(
      { server: 'https://x', 'certificate-authority': join(folder, 'ca') },
      {
        'client-certificate': join(folder, 'cert'),
        'client-key': join(folder, 'key'),
        tokenFile: join(folder, 'token'),
      },
    )
    const base64 = (text: string) => Buffer.from(text).toString('base64')
    expect(JSON.parse(toKubeconfig(findTarget(env, undefined)))).toMatchObject({
      clusters: [{ cluster: { 'certificate-authority-data': base64('of ca') } }],
      users: [{ user: { 'client-certificate-data': base64('of cert'), token: 'of token' } }],
    })
  })
})

function expectError(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

describe('who asks', () => {
  const heard = async (user: object, more: object = {}) => {
    const headers: IncomingMessage['headers'][] = []
    const url = await open((request, response) => {
      headers.push(request.headers)
      version(request, response)
    })
    const cluster = new KubeCluster({ env: writeConfig({ server: url, ...more }, user) })
    await readServerVersion(cluster)
    return { headers: headers[0]!, cluster }
  }

  test.each<[object, object]>([
    [{ token: 'abc' }, { authorization: 'Bearer abc' }],
    [{ username: 'me', password: 'x' }, { authorization: 'Basic bWU6eA==' }],
    [{ 'auth-provider': { name: 'oidc', config: { 'id-token': 'jwt' } } }, { authorization: 'Bearer jwt' }],
    [
      { token: 'a', as: 'jane', 'as-groups': ['x', 'y'], 'as-uid': '7', 'as-user-extra': { Scope: ['s'] } },
      {
        'impersonate-user': 'jane',
        'impersonate-group': 'x, y',
        'impersonate-uid': '7',
        'impersonate-extra-scope': 's',
      },
    ],
  ])('%j is shown', async (user, expected) => {
    expect((await heard(user)).headers).toMatchObject(expected)
  })

  test('a token in a file is read again where it was replaced', async () => {
    const file = join(temporaryFolder(), 'token')
    writeFileSync(file, 'old\n')
    let valid = 'old'
    const url = await open((request, response) => {
      if (request.headers.authorization !== `Bearer ${valid}`) response.writeHead(401).end()
      else version(request, response)
    })
    const cluster = new KubeCluster({ env: writeConfig({ server: url }, { tokenFile: file }) })
    expect(await readServerVersion(cluster)).toBe('v1.36.3')
    valid = 'new'
    await expect(readServerVersion(cluster)).rejects.toMatchObject({ message: expect.stringContaining('401') })
    writeFileSync(file, 'new\n')
    expect(await readServerVersion(cluster)).toBe('v1.36.3')
  })

  /** A plug-in that counts its runs, and gives a token for some seconds. */
  const plugin = (script: string) => {
    const file = join(temporaryFolder(), 'plugin')
    writeFileSync(file, `#!/bin/sh\necho run >> "$0.runs"\n${script}\n`)
    chmodSync(file, 0o755)
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: file, args: ['token'] }
    return { exec, runs: () => readFileSync(`${file}.runs`, 'utf8').trim().split('\n').length }
  }
  const credential = (token: string, expires = '2099-01-01T00:00:00Z') =>
    `printf '%s' '{"status":{"token":"${token}","expirationTimestamp":"${expires}"}}'`

  test('a plug-in runs once for many requests, and again when the API server refuses its token', async () => {
    const { exec, runs } = plugin(`[ $(wc -l < "$0.runs") -gt 1 ] && ${credential('second')} || ${credential('first')}`)
    let valid = 'first'
    const url = await open((request, response) => {
      if (request.headers.authorization !== `Bearer ${valid}`) response.writeHead(401).end()
      else version(request, response)
    })
    const cluster = new KubeCluster({ env: writeConfig({ server: url }, { exec }) })
    const ask = () => Promise.all(Array.from({ length: 8 }, () => readServerVersion(cluster)))
    await ask()
    expect(runs()).toBe(1)
    valid = 'second'
    expect(new Set(await ask())).toEqual(new Set(['v1.36.3']))
    expect(runs()).toBe(2)
  })

  test('a plug-in that has expired runs again', async () => {
    const { exec, runs } = plugin(credential('a', '2020-01-01T00:00:00Z'))
    const { cluster } = await heard({ exec })
    await readServerVersion(cluster)
    expect(runs()).toBe(2)
  })

  test.each([
    ['exit 3', 'scan_failed', /gave no credentials/],
    ['echo nonsense', 'scan_failed', /gave no credentials/],
  ])('a plug-in that says %s fails', async (script, code, message) => {
    const { exec } = plugin(script)
    await expect(heard({ exec })).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  test('a plug-in that is not there is named, with what the kubeconfig says about it', async () => {
    const exec = { command: 'no-such-plugin', installHint: 'Install it from the shelf.' }
    await expect(heard({ exec })).rejects.toMatchObject({ code: 'usage', hint: 'Install it from the shelf.' })
  })

  test('a plug-in gets no secret of relt', async () => {
    const { exec } = plugin(credential('$RELT_MASTER_KEY.').replaceAll("'", '"').replaceAll('\\', ''))
    const url = await open(version)
    const env = { ...writeConfig({ server: url }, { exec }), RELT_MASTER_KEY: 'hunter2' }
    await readServerVersion(new KubeCluster({ env })).catch(() => {})
    expect(exec.command).toBeTruthy()
  })
})

describe.skipIf(!canMakeCertificates)('the certificate of an API server', () => {
  test('is verified by the kubeconfig, by its name there, and by what relt trusts besides', async () => {
    const { url, file } = await openTlsServer(version)
    const ask = (cluster: object, env = {}) =>
      readServerVersion(new KubeCluster({ env: { ...writeConfig({ server: url, ...cluster }), ...env } }))
    const own = { 'certificate-authority': file }
    expect(await ask(own)).toBe('v1.36.3')
    expect(await ask({}, { RELT_CA_FILE: file })).toBe('v1.36.3')
    expect(await ask({ 'insecure-skip-tls-verify': true })).toBe('v1.36.3')
    await expect(ask({})).rejects.toMatchObject({ message: expect.stringMatching(/not trusted: DEPTH_ZERO/) })
    await expect(ask({ ...own, 'tls-server-name': 'other.example' })).rejects.toMatchObject({
      message: expect.stringMatching(/not trusted: ERR_TLS/),
    })
  })
})

describe('what fails', () => {
  const list = (url: string, patienceMs = 3_000) => {
    const cluster = new KubeCluster({ env: writeConfig({ server: url }), patienceMs })
    const names: unknown[] = []
    const address = { group: '', version: 'v1', plural: 'pods', pageSize: 2 }
    return listKind(cluster, address, () => {
      names.length = 0
      return (item) => void names.push((item as { metadata: { name: string } }).metadata.name)
    }).then((failure) => ({ failure, names }))
  }
  const page = (names: string[], next?: string) =>
    JSON.stringify({
      kind: 'PodList',
      metadata: { continue: next },
      items: names.map((name) => ({ metadata: { name } })),
    })
  /** Answers reviews with 500, so that lists are tried. */
  const openList = (answer: (page: string | null, times: number, response: Parameters<RequestListener>[1]) => void) => {
    const times = new Map<string | null, number>()
    return open((request, response) => {
      if (request.method === 'POST') return response.writeHead(500).end()
      const token = new URL(request.url!, 'http://x').searchParams.get('continue')
      times.set(token, (times.get(token) ?? 0) + 1)
      answer(token, times.get(token)!, response)
    })
  }

  test('a page that was cut off is read again, and each object is taken once', async () => {
    const second = page(['c', 'd'])
    const url = await openList((token, times, response) => {
      if (token === null) return response.end(page(['a', 'b'], 'next'))
      response.setHeader('content-length', second.length)
      if (times > 1) return response.end(second)
      response.write(second.slice(0, -20), () => response.destroy())
    })
    expect(await list(url)).toEqual({ failure: undefined, names: ['a', 'b', 'c', 'd'] })
  })

  test.each<[string, (response: Parameters<RequestListener>[1]) => void, object]>([
    ['403', (response) => response.writeHead(403).end('{"message":"no"}'), { state: 'forbidden', why: 'no.' }],
    [
      'a page',
      (response) => response.end('<html>Sign in</html>'),
      { why: expect.stringMatching(/other than an API server/) },
    ],
    ['nothing', (response) => response.end(), { why: expect.stringMatching(/ends too early/) }],
    [
      'an object that is none',
      (response) => response.end('{"items":[{bad}]}'),
      { why: expect.stringMatching(/not valid JSON/) },
    ],
    [
      'no items',
      (response) => response.end('{"kind":"X"}'),
      { why: expect.stringMatching(/other than an API server/) },
    ],
    ['503', (response) => response.writeHead(503).end('x'), { state: 'failed', why: 'The API server answers 503.' }],
    ['no answer', () => {}, { state: 'failed', why: 'No answer within 0.5 seconds.' }],
  ])('%s is told as that', async (_, answer, expected) => {
    const url = await openList((_token, _times, response) => answer(response))
    expect((await list(url, 500)).failure).toMatchObject(expected)
  })

  test('a list without objects may be null', async () => {
    const url = await openList((_token, _times, response) => response.end('{"kind":"PodList","items":null}'))
    expect(await list(url)).toEqual({ failure: undefined, names: [] })
  })

  test('429 waits as long as the API server asks for', async () => {
    const url = await openList((_, times, response) => {
      if (times > 1) response.end(page(['a']))
      else response.writeHead(429, { 'retry-after': '1' }).end()
    })
    expect(await list(url)).toEqual({ failure: undefined, names: ['a'] })
  })
})

describe('the versions of a cluster', () => {
  const flux = { group: 'source.toolkit.fluxcd.io', plural: 'ocirepositories' }

  test('are those that serve the kind, not the preferred one of its group', async () => {
    const versions = [
      { version: 'v1', resources: [{ resource: 'gitrepositories' }], freshness: 'Current' },
      { version: 'v1beta2', resources: [{ resource: 'ocirepositories' }], freshness: 'Current' },
    ]
    const url = await open((_, response) =>
      response.end(JSON.stringify({ items: [{ metadata: { name: flux.group }, versions }] })),
    )
    const served = await discover(new KubeCluster({ env: writeConfig({ server: url }) }), [flux.group])
    expect([served.versionOf(flux), served.versionOf({ ...flux, plural: 'buckets' })]).toEqual(['v1beta2', undefined])
  })

  test('are asked for one by one where the API server does not aggregate them', async () => {
    const lists: Record<string, object> = {
      '/apis': {
        groups: [{ name: flux.group, versions: [{ version: 'v1' }, { version: 'v1beta2' }] }, { name: 'x.io' }],
      },
      [`/apis/${flux.group}/v1`]: { resources: [{ name: 'gitrepositories' }] },
      [`/apis/${flux.group}/v1beta2`]: { resources: [{ name: 'ocirepositories' }, { name: 'ocirepositories/status' }] },
    }
    const url = await open((request, response) => response.end(JSON.stringify(lists[request.url!])))
    const served = await discover(new KubeCluster({ env: writeConfig({ server: url }) }), [flux.group])
    expect(served.versionOf(flux)).toBe('v1beta2')
  })
})

test.each<[string, string, string | undefined]>([
  ['https://10.1.2.3:6443', '10.0.0.0/8', undefined],
  ['https://10.1.2.3:6443', '11.0.0.0/8,10.1.2.4', 'http://proxy:3128'],
  ['https://[fd00::1]:6443', 'fd00::1', undefined],
  ['https://[fd00::1]:6443', 'fd00::/16', undefined],
  ['https://[fd00::1]:6443', '[fd00::1]:443', 'http://proxy:3128'],
  ['https://api.corp.example', '.corp.example', undefined],
  ['https://api.corp.example', 'corp.example:443', undefined],
  ['https://api.corp.example', 'orp.example', 'http://proxy:3128'],
  ['https://api.corp.example', '*', undefined],
  ['https://api.corp.example', '10.0.0.0/99, ', 'http://proxy:3128'],
  ['http://api.corp.example', '', undefined],
])('the proxy for %s without %s is %s', (url, none, expected) => {
  expect(proxyFor({ http: undefined, https: 'proxy:3128', none }, new URL(url))).toBe(expected)
})
