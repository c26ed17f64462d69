import { expect, test } from 'vitest'
import { createMask } from '../../src/scan/mask.ts'

const mask = createMask({ KUBECONFIG: '/etc/kube', SMTP_PASSWORD: 'from the environment' }, [])

test.each([
  ['GET https://radar.example/api?token=abc123&page=2', 'GET https://radar.example/api?token=***&page=2'],
  ['token=onlyletters', 'token=***'],
  ['{"api_key": "plainletters", "page": 2}', '{"api_key": "***", "page": 2}'],
  ['client_secret: s3cr3t', 'client_secret: ***'],
  ['Authorization: Bearer eyJhbGciOi.J9', 'Authorization: Bearer ***'],
  ['running kubectl --token s3cretvalue get nodes', 'running kubectl --token *** get nodes'],
  ['clone https://user:hunter2@git.example/x', 'clone https://***@git.example/x'],
  ['login with from the environment', 'login with ***'],
])('masks the credential in %j', (line, masked) => {
  expect(mask(line)).toBe(masked)
})

test.each([
  'Checking secrets: done',
  'Secrets 120 checked',
  'Service account token: automounted',
  'see https://kube.example/docs@v2',
  'Password policy passed',
])('leaves %j as it is', (line) => {
  expect(mask(line)).toBe(line)
})
