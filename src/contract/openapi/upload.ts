import { reportFormats } from '../choices.ts'
import { notBlank, someText } from '../patterns.ts'
import { type JsonSchema, refTo } from './json-schema.ts'

/** Properties of a scanner's report that relt reads. Reports may have any others. */
export const CheckSchema: JsonSchema = {
  type: 'object',
  description: 'A check of KubeBuddy that ran.',
  required: ['Total'],
  properties: {
    ID: { type: 'string' },
    Name: { type: 'string' },
    Category: { type: 'string' },
    Severity: { type: 'string', examples: ['Warning'] },
    ResourceKind: { type: 'string' },
    Error: { type: 'null', description: 'Its text says why the check did not run.' },
    Status: { enum: ['PASS', 'FAIL'] },
    Total: { type: 'integer', minimum: 0, maximum: 10_000_000, description: 'How many findings the scanner counts.' },
    Items: {
      type: 'array',
      items: { type: 'object', not: { required: ['Status'] }, additionalProperties: true },
      description: 'The findings, as far as the scanner lists them.',
    },
  },
}

const otherFormats = reportFormats.filter((format) => format !== 'kubebuddy').join(', ')

export const ReportSchema: JsonSchema = {
  type: 'object',
  description:
    `A report of KubeBuddy, as the scanner wrote it. JSON reports of ${otherFormats} are accepted as well; this schema ` +
    'does not describe them. No text may have NUL or lone surrogates, and ' +
    'no key may be `__proto__`, `constructor` or `prototype`.',
  required: ['checks'],
  properties: {
    metadata: {
      type: 'object',
      properties: {
        clusterName: { type: 'string' },
        kubernetesVersion: { type: 'string' },
        generatedAt: { type: 'string' },
        score: { type: ['number', 'null'], minimum: 0, maximum: 100 },
      },
    },
    checks: { type: 'object', minProperties: 1, maxProperties: 10_000, additionalProperties: refTo('Check') },
  },
}

const named = (name: string, pattern: string): JsonSchema => ({
  type: 'object',
  required: [name],
  properties: { [name]: { type: 'string', pattern } },
})

/** `envelope`: the properties around the report. The cluster's name can be in one of two places. */
export function toUpload(envelope: JsonSchema): JsonSchema {
  return {
    ...envelope,
    properties: { ...envelope.properties, format: formats, report: { anyOf: [refTo('Report'), anyReport] } },
    required: ['report'],
    // Not `anyOf`, which client generators turn into union types.
    allOf: [
      {
        if: { not: { required: ['cluster'], properties: { cluster: named('name', someText) } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: {
          properties: { report: { required: ['metadata'], properties: { metadata: named('clusterName', notBlank) } } },
        },
      },
      {
        if: { required: ['format'], properties: { format: { const: 'kubebuddy' } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { report: refTo('Report') } },
      },
    ],
  }
}

const anyReport: JsonSchema = {
  type: 'object',
  description: 'Any other object, unless `format` is given. It is stored as it is; only `metadata` is read from it.',
}

const formats = {
  enum: ['kubebuddy', null],
  default: null,
  description: `Whose report it is, where its shape does not show it: ${otherFormats}.`,
}
