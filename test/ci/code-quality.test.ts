import { Ajv } from 'ajv'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderCodeQuality } from '../../src/ci/code-quality.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { ciFinding, foreignFinding } from './findings.ts'
import { hostile } from './results.ts'

/** The fields that GitLab documents as needed. */
const validate = new Ajv({ allErrors: true }).compile({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    additionalProperties: false,
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string' },
      fingerprint: { type: 'string', pattern: '^[0-9a-f]{32}$' },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', pattern: '^(?!\\.?/)(?!.*(^|/)\\.\\.(/|$))' },
          lines: { type: 'object', required: ['begin'], properties: { begin: { type: 'integer', minimum: 1 } } },
        },
      },
    },
  },
})

function parse(text: string) {
  const issues = JSON.parse(text)
  validate(issues)
  expect(validate.errors).toBeNull()
  return issues
}

test('each finding that nothing suppresses is an issue', () => {
  const findings = [
    ciFinding({ check_id: 'SEC003', severity: 'critical', resource: 'pod/web', message: 'runs as root' }),
    ciFinding({ suppression: { kind: 'external', reason: 'accepted' } }),
    ciFinding({ suppression: { kind: 'inSource', reason: null } }),
  ]
  expect(parse(renderCodeQuality(findings))).toEqual([
    {
      description: 'shop pod/web: runs as root',
      check_name: 'SEC003',
      fingerprint: findings[0]!.fingerprint,
      severity: 'blocker',
      location: { path: 'shop/pod/web', lines: { begin: 1 } },
    },
  ])
  expect(parse(renderCodeQuality([]))).toEqual([])
})

test('any text makes a valid report', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), fc.constant(hostile), fc.constant('/../x'))
  fc.assert(
    fc.property(text, (foreign) => {
      expect(parse(renderCodeQuality([{ ...foreignFinding(foreign), suppression: undefined }]))).toHaveLength(1)
    }),
    { numRuns: 300 },
  )
})
