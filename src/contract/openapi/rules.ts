import type { JsonSchema } from './json-schema.ts'

const filled = { type: 'string', minLength: 1 }

const has = (members: Record<string, unknown>): JsonSchema => ({
  required: Object.keys(members),
  properties: members as never,
})

/** If the provider is this one, either all settings of the block are present or none. */
const wholeBlock = (provider: string, names: string[]) => ({
  if: has({ provider: { const: provider } }),
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: {
    properties: {
      settings: { properties: { [provider]: has(Object.fromEntries(names.map((name) => [name, filled]))) } },
    },
  },
})

const profileRules = [
  wholeBlock('aks', ['subscriptionId', 'resourceGroup', 'clusterName']),
  wholeBlock('gke', ['projectId', 'location', 'clusterName']),
]

/** Requires one of the wanted properties, and none of the others. */
const without = (others: string[], wanted: string[]): JsonSchema => ({
  anyOf: wanted.map((name) => ({ required: [name] })),
  not: { anyOf: others.map((name) => ({ required: [name] })) },
})

/** Rules that span several properties, by component: the zod schemas check them in code only. */
export const rules: Record<string, JsonSchema[]> = {
  NewRelease: [
    {
      if: has({ security_severity: { enum: ['low', 'medium', 'high', 'critical'] } }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: has({ has_security_fix: { const: true } }),
    },
  ],
  ExceptionInput: [
    {
      anyOf: [
        without(['check', 'namespace', 'resource', 'artifact', 'advisory', 'justification'], ['fingerprint']),
        without(['fingerprint', 'check', 'resource'], ['advisory']),
        without(['fingerprint', 'check', 'resource', 'advisory', 'justification'], ['artifact']),
        without(['fingerprint', 'artifact', 'advisory', 'justification'], ['check', 'namespace', 'resource']),
      ],
    },
  ],
  ScanProfileInput: profileRules,
  ScanProfileChange: profileRules,
  PrometheusSettings: [
    {
      if: has({ enabled: { const: true } }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: has({ url: filled }),
    },
    {
      if: has({ enabled: { const: true }, mode: { const: 'bearer' } }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: has({ bearerTokenEnv: filled }),
    },
  ],
}
