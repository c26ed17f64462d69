import * as z from 'zod/mini'

/** Text that can be an argument, an environment variable and YAML. */
const scanText = (maxLength: number) =>
  z.string().check(
    z.maxLength(maxLength, { error: `at most ${maxLength} characters` }),
    z.refine((value: string) => !value.includes('\0') && value.isWellFormed(), {
      error: 'no NUL and no broken Unicode',
    }),
  )

const text = z.optional(scanText(500))
const flag = z.optional(z.boolean())

const item = scanText(500).check(z.regex(/\S/, { error: 'must not be empty' }))
const list = z.array(item).check(z.maxLength(1000))
/** Its items stand in one text with commas between them. */
const commaList = z
  .array(item.check(z.regex(/^[^,\r]*$/, { error: 'no comma and no carriage return: the scanner would cut it there' })))
  .check(z.maxLength(1000))

const url = z.optional(
  scanText(2000).check(
    z.refine((value: string) => !/^\s*[a-z][a-z0-9+.-]*:[\\/]*[^\\/?#]*@/i.test(value), {
      error: 'no user and password in an address: name environment variables that hold them',
    }),
  ),
)

/** Credentials stay in the environment; a profile names the variable. */
const environmentName = z.optional(
  z.string().check(
    z.maxLength(200),
    z.regex(/^([A-Za-z_][A-Za-z0-9_]*)?$/, {
      error: 'the name of an environment variable: letters, digits and underscores',
    }),
  ),
)

const threshold = z.union([z.number(), z.boolean(), scanText(200)], { error: 'a number, true, false or a text' })
const thresholdName = z
  .string()
  .check(z.regex(/^[A-Za-z][A-Za-z0-9_]{0,99}$/, { error: 'letters, digits and underscores' }))
const thresholds = z.record(thresholdName, threshold).check(
  z.refine((value) => Object.keys(value).length <= 200, { error: 'at most 200 thresholds' }),
  z.refine(
    ({ pod_sizing_profile: profile = 'balanced' }) =>
      typeof profile === 'string' && ['conservative', 'balanced', 'aggressive'].includes(profile),
    { path: ['pod_sizing_profile'], error: 'conservative, balanced or aggressive' },
  ),
)

/** Settings of a scan; members that are not named here are kept, and never reach a command or file. */
export const ScanSettings = z.looseObject({
  aks: z.optional(z.looseObject({ subscriptionId: text, resourceGroup: text, clusterName: text, useAksRestApi: flag })),
  gke: z.optional(z.looseObject({ projectId: text, location: text, clusterName: text })),
  eks: z.optional(z.looseObject({ region: text, clusterName: text })),
  prometheus: z.optional(
    z.looseObject({
      enabled: flag,
      url,
      mode: z.optional(z.enum(['local', 'basic', 'bearer', 'azure', 'gcp'])),
      bearerTokenEnv: environmentName,
    }),
  ),
  output: z.optional(
    z.looseObject({
      htmlReport: flag,
      jsonReport: flag,
      txtReport: flag,
      csvReport: flag,
      outputPath: text,
      excludeNamespaces: flag,
      additionalExcludedNamespaces: z.optional(commaList),
      yes: flag,
    }),
  ),
  thresholds: z.optional(thresholds),
  excluded_namespaces: z.optional(list),
  excluded_checks: z.optional(commaList),
  trusted_registries: z.optional(list),
  radar: z.optional(
    z.looseObject({
      upload: flag,
      compare: flag,
      environment: text,
      fetch_config: flag,
      api_base_url: url,
      api_user_env: environmentName,
      api_password_env: environmentName,
      upload_timeout_seconds: z.optional(z.int().check(z.gte(1), z.lte(3600))),
      upload_retries: z.optional(z.int().check(z.gte(0), z.lte(20))),
    }),
  ),
})
export type ScanSettings = z.infer<typeof ScanSettings>
