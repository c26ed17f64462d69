import * as z from 'zod/mini'
import { hasCredentials } from '../util/address.ts'
import { bundleForm } from './bundle-form.ts'
import { CncfStatus, ReleaseType } from './project.ts'
import { address, isWebAddress, requiredText, Severity } from './shape.ts'
import { releaseSources } from './source-kind.ts'

/** The user's own projects and catalog files, which no API route returns. */

const chartAddress = z.string().check(
  z.maxLength(2000),
  z.refine(
    (value) => (/^oci:\/\/[^\s\p{C}]+$/u.test(value) && !hasCredentials(value)) || isWebAddress(value),
    'must be a web address or oci://…, without credentials',
  ),
)

const tagPattern = z.string().check(
  z.maxLength(200),
  z.refine(isPattern, 'must be a regular expression whose first group is the version: controller-v(.*)'),
  // Others could take exponential time on a tag that does not match.
  z.refine(
    (value) => !/\)[*+{]|\\[1-9k]/.test(value) && (value.match(/[*+{]/g) ?? []).length <= 3,
    'must have at most three repetitions, and none of a group',
  ),
)

function isPattern(value: string) {
  try {
    return (new RegExp(`${value}|`).exec('')?.length ?? 0) > 1
  } catch {
    return false
  }
}

const eolProduct = z.string().check(z.regex(/^[a-z0-9][a-z0-9._+-]{0,99}$/, 'a name as in https://endoflife.date/NAME'))

const repository = z.string().check(z.regex(/^[a-z0-9][a-z0-9._/:-]{0,254}$/, 'registry/path, in lower case'))
const chartName = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/, 'letters, digits, dot, hyphen'))

export const OwnProject = z.object({
  name: requiredText(200),
  description: z._default(z.string().check(z.maxLength(5000)), ''),
  category: z._default(z.string().check(z.maxLength(100)), ''),
  cncf_status: z._default(CncfStatus, 'open-source'),
  homepage: z._default(address, ''),
  docs_url: z._default(address, ''),
  repo_url: z._default(address, ''),
  helm_chart_repo: z._default(z.nullable(chartAddress), null),
  tag_pattern: z._default(z.nullable(tagPattern), null),
  eol_product: z._default(z.nullable(eolProduct), null),
  image_repositories: z._default(z.array(repository).check(z.maxLength(200)), []),
  helm_chart_names: z._default(z.array(chartName).check(z.maxLength(200)), []),
})
export type OwnProject = z.infer<typeof OwnProject>

const CatalogFileRelease = z.object({
  type: ReleaseType,
  chart_name: z.string().check(z.maxLength(200)),
  version: requiredText(256),
  app_version: z.nullable(z.string().check(z.maxLength(256))),
  /** Absent in older files, and if a chart states none. */
  kube_version: z.optional(z.string().check(z.maxLength(512))),
  published_at: z.int().check(z.gte(0), z.lt(253_402_300_800)),
  url: address,
  release_notes: z.string().check(z.maxLength(500_000)),
  has_security_fix: z.boolean(),
  security_severity: Severity,
  security_summary: z.nullable(z.string().check(z.maxLength(5000))),
  cve_list: z.array(z.string().check(z.maxLength(50))).check(z.maxLength(500)),
  cve_links: z.array(address).check(z.maxLength(500)),
})
export type CatalogFileRelease = z.infer<typeof CatalogFileRelease>

const supportEnd = z.union([z.iso.date(), z.boolean()])
/** A release cycle as the leading numbers of a version: `1.33`. */
export const cyclePattern = /^\d{1,9}(\.\d{1,9}){0,3}$/
const FiledCycle = z.object({
  cycle: z.string().check(z.regex(cyclePattern)),
  eol: supportEnd,
  lts: supportEnd,
  /** Absent in older files. */
  latest: z.optional(z.nullable(z.string().check(z.maxLength(100)))),
})

/** A source of releases, with the time of its last answer. */
const FiledSource = z.object({
  kind: z.enum(releaseSources),
  url: z.string().check(
    z.maxLength(2000),
    z.refine((value) => !hasCredentials(value), 'must not contain credentials'),
  ),
  /** Unix seconds. */
  answered_at: z.int().check(z.minimum(0), z.maximum(253_402_300_799)),
})
export type FiledSource = z.infer<typeof FiledSource>

const time = z.int().check(z.minimum(0), z.maximum(253_402_300_799))
const versionText = z.string().check(z.maxLength(200))
const FiledAdvisory = z.object({
  source: z.enum(['github', 'osv']),
  id: requiredText(100),
  aliases: z.array(requiredText(100)).check(z.maxLength(100)),
  severity: z.nullable(Severity),
  score: z.nullable(z.number().check(z.minimum(0), z.maximum(10))),
  published_at: z.nullable(time),
  is_record_date: z.boolean(),
  modified_at: z.nullable(time),
  withdrawn_at: z.nullable(time),
  summary: z.string().check(z.maxLength(1000)),
  databases: z.array(requiredText(100)).check(z.maxLength(20)),
  affected: z
    .array(
      z.object({ introduced: versionText, fixed: z.nullable(versionText), last_affected: z.nullable(versionText) }),
    )
    .check(z.maxLength(10_000)),
})

export const FiledProject = z.extend(OwnProject, {
  slug: z.string().check(z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/), z.maxLength(250)),
  releases: z.array(CatalogFileRelease).check(z.maxLength(100_000)),
  /** Cycles of endoflife.date; absent in older files. */
  cycles: z._default(z.array(FiledCycle).check(z.maxLength(1000)), []),
  sources: z._default(z.array(FiledSource).check(z.maxLength(10)), []),
  /** Advisories apart from the bundled ones; absent in older files. */
  advisories: z._default(z.array(FiledAdvisory).check(z.maxLength(50_000)), []),
  /** Time of OSV's last answer; null if never. */
  osv_answered_at: z._default(z.nullable(time), null),
  complete_since: z._default(z.nullable(z.iso.date()), null),
})
export type FiledProject = z.infer<typeof FiledProject>

export const FiledCatalog = z.object({ projects: z.array(FiledProject).check(z.maxLength(100_000)) })

/** All facts of a newer relt: its data files by name, which only their signature vouches for. */
export const FiledBundle = z.object({
  bundle: z.object({
    form: z.literal(bundleForm, 'upgrade relt to read it'),
    date: z.iso.date(),
    edition: z.int().check(z.positive()),
    upgrade_date: z.iso.date(),
    files: z.record(z.string().check(z.regex(/^[a-z-]{1,50}$/)), z.unknown()),
  }),
})
export type FiledBundle = z.infer<typeof FiledBundle>['bundle']

export const FileSignature = z.object({
  public_key: z.string().check(z.regex(/^ed25519:[\w-]{43}$/)),
  /** Signature in base64url. */
  value: z.string().check(z.regex(/^[\w-]{86}$/)),
})
export type FileSignature = z.infer<typeof FileSignature>

/** First line of a catalog file; the second is the catalog, whose SHA-256 is in the header. */
export const FileHeader = z.object({
  format: z.literal('relt-catalog'),
  version: z.literal(1),
  exported_at: z.string(),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  signature: z.optional(FileSignature),
})
export type FileHeader = z.infer<typeof FileHeader>
