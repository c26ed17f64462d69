import * as fc from 'fast-check'
import type { Profile } from '../../src/profiles/profile.ts'
import { anyCharacter } from '../helpers/any-character.ts'

/** Texts that a shell, a parser of flags or YAML would change. */
const hostile = [
  "'",
  '"',
  `'"'"'`,
  '$(id)',
  '`id`',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: what a shell would fill in
  '${PATH}',
  '$PATH',
  '%PATH%',
  '$env:PATH',
  '; id',
  '&& id #',
  '| id > /dev/null',
  'a\nb',
  'a\r\nb',
  '\n',
  '\t',
  '\\',
  '\\n',
  'a\\',
  '!!',
  '* ?',
  '~',
  '-x',
  '--yes',
  '-',
  '--',
  '--%',
  '@file',
  '\u2018\u2019\u201a\u201b',
  '\u201c\u201d\u201e',
  '\u2013yes',
  'é🌍漢字',
  'a\u0301',
  '\u202eabc',
  '\u007f\u0085\u009f',
  '\u2028\u2029',
  '\ufeffa',
  '\ufffe\uffff',
  '\u0001\u001b[31m',
  '\u00a0',
  ' a ',
  'no',
  'Yes',
  'on',
  'null',
  '~ ',
  '1e3',
  '0x1',
  '0o7',
  '017',
  '1_000',
  '1:30',
  '2026-01-01',
  '.inf',
  '<<',
  '=',
  '- a',
  'a: b',
  'a #b',
  '{a: b}',
  '[a]',
  '&a',
  '*a',
  '!!int 3',
  '|',
  '>',
  '%YAML',
  '---',
  '...',
  '? a',
  ' -e HTML_REPORT=true ',
  'a'.repeat(200),
  'word word\n\nword '.repeat(10),
]

const anyText = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...hostile) },
    fc.string({ unit: anyCharacter, maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.tuple(fc.constantFrom(...hostile), fc.constantFrom(...hostile)).map((parts) => parts.join('')),
  )
  .map((text) => text.replaceAll('\0', ''))
const text = anyText.map((value) => value || 'x')
const url = anyText.map((value) => `https://h/${value}`)
const list = fc.array(
  text.map((value) => (/\S/.test(value) ? value : `x${value}`)),
  { maxLength: 4 },
)
const commaList = list.map((items) => items.map((item) => item.replace(/[,\r]/g, '.')))
const variable = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/).map((name) => `T_${name}`)
const flag = fc.boolean()
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value || 0)

const optional = <T extends Record<string, unknown>>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(shape, { requiredKeys: [] })

const settings = optional({
  aks: fc.record(
    { subscriptionId: text, resourceGroup: text, clusterName: text, useAksRestApi: flag, unknown: text },
    { requiredKeys: ['subscriptionId', 'resourceGroup', 'clusterName'] },
  ),
  gke: fc.record({ projectId: text, location: text, clusterName: text }),
  eks: optional({ region: anyText, clusterName: anyText }),
  prometheus: fc.record(
    {
      enabled: flag,
      url,
      mode: fc.constantFrom('local', 'basic', 'bearer', 'azure', 'gcp'),
      bearerTokenEnv: variable,
    },
    { requiredKeys: ['url', 'bearerTokenEnv'] },
  ),
  output: optional({
    htmlReport: flag,
    jsonReport: flag,
    txtReport: flag,
    csvReport: flag,
    outputPath: text.map((value) => value.replaceAll(':', '.')),
    excludeNamespaces: flag,
    additionalExcludedNamespaces: commaList,
    yes: flag,
  }),
  thresholds: fc.dictionary(
    fc.oneof(
      fc.stringMatching(/^[a-z]{1,8}_(warning|critical)$/),
      fc.constantFrom('no', 'y', 'true', 'null', 'on', 'e1', 'NaN'),
    ),
    fc.oneof(
      number,
      flag,
      anyText.map((value) => value.slice(0, 200).toWellFormed()),
    ),
    { maxKeys: 4 },
  ),
  excluded_namespaces: list,
  excluded_checks: commaList,
  trusted_registries: list,
  radar: optional({
    upload: flag,
    compare: flag,
    environment: anyText,
    fetch_config: flag,
    api_base_url: url,
    api_user_env: variable,
    api_password_env: variable,
    upload_timeout_seconds: fc.integer({ min: 1, max: 3600 }),
    upload_retries: fc.integer({ min: 0, max: 20 }),
    api_password: fc.constant('secret-in-profile'),
  }),
  unknown: text,
})

export const hostileProfile = fc.record({
  config_id: fc.constant('ccfg_1'),
  name: text,
  cluster_name: text,
  provider: fc.constantFrom('aks', 'eks', 'gke', 'kubernetes'),
  settings,
}) as fc.Arbitrary<Profile>
