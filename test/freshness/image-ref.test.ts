import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { familiar, normalised, parseImageRef } from '../../src/freshness/image-ref.ts'
import { growthOf } from '../helpers/growth.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`

describe('parseImageRef', () => {
  test.each([
    ['nginx', 'docker.io/library/nginx:latest'],
    ['nginx:1.27.3', 'docker.io/library/nginx:1.27.3'],
    ['bitnami/redis:7.2', 'docker.io/bitnami/redis:7.2'],
    ['docker.io/nginx', 'docker.io/library/nginx:latest'],
    ['registry.hub.docker.com/grafana/grafana:1', 'docker.io/grafana/grafana:1'],
    ['index.docker.io/nginx:1', 'docker.io/library/nginx:1'],
    ['registry-1.docker.io/library/nginx:1', 'docker.io/library/nginx:1'],
    ['Docker.IO/library/nginx:1', 'docker.io/library/nginx:1'],
    ['quay.io/argoproj/argocd:v2.10.1', 'quay.io/argoproj/argocd:v2.10.1'],
    ['localhost/x:1', 'localhost/x:1'],
    ['localhost:5000/x:1.2.3', 'localhost:5000/x:1.2.3'],
    ['registry.corp:5000/quay.io/argoproj/argocd', 'registry.corp:5000/quay.io/argoproj/argocd:latest'],
    ['[2001:db8::1]:5000/x:1', '[2001:db8::1]:5000/x:1'],
    ['10.0.0.1:5000/a/b/c:1', '10.0.0.1:5000/a/b/c:1'],
    [`nginx@${digest}`, `docker.io/library/nginx@${digest}`],
    [`nginx:1.27.3@${digest}`, `docker.io/library/nginx:1.27.3@${digest}`],
    ['a/b__c.d-e--f:_Tag.1-x', 'docker.io/a/b__c.d-e--f:_Tag.1-x'],
    [`x@sha512:${'a'.repeat(128)}`, `docker.io/library/x@sha512:${'a'.repeat(128)}`],
    [`x@multihash+base58:${'a'.repeat(32)}`, `docker.io/library/x@multihash+base58:${'a'.repeat(32)}`],
    [`x:${'t'.repeat(128)}`, `docker.io/library/x:${'t'.repeat(128)}`],
    [`r.io/${'a'.repeat(250)}`, `r.io/${'a'.repeat(250)}:latest`],
  ])('reads %s', (text, whole) => {
    const ref = parseImageRef(text)
    expect(ref && normalised(ref)).toBe(whole)
  })

  test.each([
    '',
    ' nginx',
    'nginx ',
    'NGINX',
    'docker.io/Library/nginx',
    'foo/Bar:1',
    ':1.2',
    'nginx:',
    'nginx:-1',
    'nginx:1:2',
    'nginx@',
    'nginx@sha256:abc',
    `nginx@sha256:${'A'.repeat(64)}`,
    `nginx@sha256:${'g'.repeat(64)}`,
    `nginx@${digest}@${digest}`,
    'a//b',
    '/a',
    'a/',
    'a/_b',
    'a/b_',
    'a/b..c',
    'a/b___c',
    'https://docker.io/library/nginx',
    '-host.io/x',
    'host.io:port/x',
    `x:${'t'.repeat(129)}`,
    `r.io/${'a'.repeat(251)}`,
    'a'.repeat(64),
    'nginx\n',
    'nginx:1.2\u0000',
  ])('refuses %j', (text) => {
    expect(parseImageRef(text)).toBeUndefined()
  })

  test('tells a digest apart from a tag', () => {
    const repository = { registry: 'docker.io', repository: 'library/nginx' }
    expect(parseImageRef(`nginx@${digest}`)).toEqual({ ...repository, tag: null, digest })
    expect(parseImageRef('nginx:1')).toEqual({ ...repository, tag: '1', digest: null })
  })

  test('reads back what it normalised', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
    const path = fc.array(word, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
    const registry = fc.constantFrom('docker.io', 'quay.io', 'localhost:5000', 'registry.corp:443')
    const tag = fc.option(fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,20}$/))
    fc.assert(
      fc.property(registry, path, tag, fc.option(fc.constant(digest)), (host, name, tag, digest) => {
        const text = `${host}/${name}${tag === null ? '' : `:${tag}`}${digest === null ? '' : `@${digest}`}`
        const ref = parseImageRef(text)
        expect(ref).toMatchObject({ registry: host, tag, digest })
        const again = parseImageRef(normalised(ref!))
        expect(again).toEqual({ ...ref, tag: tag ?? (digest === null ? 'latest' : null) })
      }),
    )
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ maxLength: 2000 }), (text) => void parseImageRef(text)))
  })

  test.each(['a', 'a-', '-', 'a.', 'a/', 'a_', '1', '@', ':', 'a:1/', '::1', 'é'])(
    'takes time by the length of hostile text made of %j',
    (part) => {
      const run = (size: number) => ['', '!'].map((end) => parseImageRef(`${part.repeat(size / part.length)}${end}`))
      expect(growthOf({ run, input: (size) => size, most: 1000 })).toBeLessThan(3)
      expect(growthOf({ run, input: (size) => size, most: 20_000 })).toBeLessThan(3)
    },
  )
})

test.each([
  ['docker.io/library/nginx:1.27.3', 'nginx:1.27.3'],
  ['nginx', 'nginx'],
  ['docker.io/bitnami/redis:7', 'bitnami/redis:7'],
  ['docker.io/library/a/b:1', 'library/a/b:1'],
  ['quay.io/a/b:1', 'quay.io/a/b:1'],
  [`nginx:1.2@${digest}`, 'nginx:1.2'],
  [`nginx@${digest}`, 'nginx@sha256:0123456789ab'],
])('people write %s as %s', (text, written) => {
  expect(familiar(parseImageRef(text)!)).toBe(written)
})
