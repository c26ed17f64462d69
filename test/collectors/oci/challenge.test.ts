import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayReceiveCredentials, parseChallenge } from '../../../src/collectors/oci/challenge.ts'

test.each<[header: string | string[] | undefined, expected: unknown]>([
  [
    'Bearer realm="https://auth.docker.io/token",service="registry.docker.io",scope="repository:library/nginx:pull"',
    {
      scheme: 'bearer',
      realm: 'https://auth.docker.io/token',
      service: 'registry.docker.io',
      scope: 'repository:library/nginx:pull',
    },
  ],
  ['bearer Realm=https://x/token , error="invalid_token"', { scheme: 'bearer', realm: 'https://x/token' }],
  ['Basic realm="x"', { scheme: 'basic', realm: 'x' }],
  [['Basic realm="x"', 'Bearer realm="https://x"'], { scheme: 'bearer', realm: 'https://x' }],
  ['Negotiate', undefined],
  ['', undefined],
  [undefined, undefined],
])('reads %j', (header, expected) => {
  expect(parseChallenge(header)).toEqual(expected)
})

test('any header is read or refused', () => {
  fc.assert(fc.property(fc.string(), (text) => void parseChallenge(`Bearer ${text}`)))
})

test.each<[realm: string, registry: string, expected: boolean]>([
  ['https://auth.docker.io', 'https://registry-1.docker.io', true],
  ['https://gitlab.com', 'https://registry.gitlab.com', true],
  ['https://ghcr.io', 'https://ghcr.io', true],
  ['https://auth.quay.io', 'https://quay.io', true],
  ['https://auth.example.com:5001', 'http://auth.example.com:5000', true],
  ['https://evil.io', 'https://quay.io', false],
  ['https://evildocker.io', 'https://registry-1.docker.io', false],
  ['https://docker.io.evil.example', 'https://registry-1.docker.io', false],
  ['http://auth.docker.io', 'https://registry-1.docker.io', false],
  ['http://127.0.0.2', 'http://127.0.0.1', false],
  ['http://localhost', 'http://127.0.0.1', false],
])('%s may know a password of %s: %s', (realm, registry, expected) => {
  expect(mayReceiveCredentials(new URL(realm), new URL(registry))).toBe(expected)
})
