import * as z from 'zod/mini'
import { hasAddressWithCredentials, hasCredentials } from '../util/address.ts'
import { folder, noNul, notBlank, notBlankItem, withCredentials } from './patterns.ts'
import { documented, optionalBoolean } from './shape.ts'

/** An http(s) URL, or an empty text. */
const httpAddress = String.raw`^([Hh][Tt][Tt][Pp][Ss]?://[^/\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff][^\u0000]*)?$`

const noCredentials = 'must not contain a user and password: name environment variables that hold them'

/** Text that is valid in an argument, an environment variable and YAML. */
const scanText = (maxLength: number) =>
  z.string().check(
    z.maxLength(maxLength, { error: `must have at most ${maxLength} characters` }),
    z.refine((value: string) => !value.includes('\0') && value.isWellFormed(), {
      error: 'must not contain NUL or broken Unicode',
    }),
  )

const text = z.optional(documented(scanText(500), { type: 'string', maxLength: 500, pattern: noNul }))

const itemText = scanText(500).check(z.regex(/\S/, { error: 'must not be empty' }))
const item = documented(itemText, { type: 'string', maxLength: 500, pattern: notBlank })
const list = z.array(item).check(z.maxLength(1000))
/** The scanner joins items with commas, so an item has none. */
const commaList = z
  .array(
    documented(
      itemText.check(
        z.regex(/^[^,\r]*$/, {
          error: 'must not contain a comma or a carriage return: the scanner would cut it there',
        }),
      ),
      { type: 'string', maxLength: 500, pattern: notBlankItem },
    ),
  )
  .check(z.maxLength(1000))

const urlText = scanText(2000).check(z.refine((value: string) => !hasCredentials(value), { error: noCredentials }))
const url = (pattern: string) =>
  z.optional(
    documented(urlText.check(), { type: 'string', maxLength: 2000, pattern, not: { pattern: withCredentials } }),
  )

/** Credentials stay in the environment; a profile has the variable's name. */
const environmentName = z.optional(
  documented(
    z.string().check(
      z.maxLength(200),
      z.regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, {
        error: 'must be the name of an environment variable: letters, digits and underscores',
      }),
    ),
    {
      type: 'string',
      maxLength: 200,
      pattern: '^([A-Za-z_][A-Za-z0-9_]*)?$',
      not: { enum: ['KUBECONFIG', 'PATH', 'HOME'] },
    },
  ),
)

const thresholdText = { type: 'string', maxLength: 200, pattern: noNul }
const threshold = z.union([z.number(), z.boolean(), documented(scanText(200), thresholdText)], {
  error: 'must be a number, true, false or a text',
})
const thresholdName = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, { error: 'must consist of letters, digits and underscores' }))
const sizingProfiles = ['conservative', 'balanced', 'aggressive']
const thresholds = documented(
  z.record(thresholdName, threshold).check(
    z.refine((value) => Object.keys(value).length <= 200, { error: 'must have at most 200 thresholds' }),
    z.refine(
      ({ pod_sizing_profile: profile = 'balanced' }) => typeof profile === 'string' && sizingProfiles.includes(profile),
      { path: ['pod_sizing_profile'], error: 'must be conservative, balanced or aggressive' },
    ),
  ),
  {
    type: 'object',
    maxProperties: 200,
    propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9_]{0,99}$' },
    properties: { pod_sizing_profile: { enum: sizingProfiles } },
    additionalProperties: { anyOf: [{ type: 'number' }, { type: 'boolean' }, thresholdText] },
  },
)

/** Settings of a scan; unknown members are stored, but never used in a command or file. */
export const ScanSettings = z.looseObject({
  /** Kubeconfig context for scans by relt (default: the current one). */
  context: text,
  aks: z.optional(
    z.looseObject({ subscriptionId: text, resourceGroup: text, clusterName: text, useAksRestApi: optionalBoolean }),
  ),
  gke: z.optional(z.looseObject({ projectId: text, location: text, clusterName: text })),
  eks: z.optional(z.looseObject({ region: text, clusterName: text })),
  prometheus: z.optional(
    z.looseObject({
      enabled: optionalBoolean,
      url: url(noNul),
      mode: z.optional(z.enum(['local', 'basic', 'bearer', 'azure', 'gcp'])),
      bearerTokenEnv: environmentName,
    }),
  ),
  output: z.optional(
    z.looseObject({
      htmlReport: optionalBoolean,
      jsonReport: optionalBoolean,
      txtReport: optionalBoolean,
      csvReport: optionalBoolean,
      outputPath: z.optional(documented(scanText(500), { type: 'string', maxLength: 500, pattern: folder })),
      excludeNamespaces: optionalBoolean,
      additionalExcludedNamespaces: z.optional(commaList),
      yes: optionalBoolean,
    }),
  ),
  thresholds: z.optional(thresholds),
  excluded_namespaces: z.optional(list),
  excluded_checks: z.optional(commaList),
  trusted_registries: z.optional(list),
  radar: z.optional(
    z.looseObject({
      upload: optionalBoolean,
      compare: optionalBoolean,
      environment: text,
      fetch_config: optionalBoolean,
      api_base_url: url(httpAddress),
      api_user_env: environmentName,
      api_password_env: environmentName,
      upload_timeout_seconds: z.optional(z.int().check(z.gte(1), z.lte(3600))),
      upload_retries: z.optional(z.int().check(z.gte(0), z.lte(20))),
    }),
  ),
})
export type ScanSettings = z.infer<typeof ScanSettings>

/** Settings as clients send them: URLs in unknown members must not have credentials either. */
export const WantedScanSettings = ScanSettings.check(
  z.superRefine((settings: unknown, context: z.core.$RefinementCtx) => {
    for (const path of findCredentials(settings)) {
      context.issues.push({ code: 'custom', path, message: noCredentials, input: settings })
    }
  }),
)

function findCredentials(value: unknown, path: string[] = []): string[][] {
  if (typeof value === 'string') return hasAddressWithCredentials(value) ? [path] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => findCredentials(member, [...path, name]))
}
