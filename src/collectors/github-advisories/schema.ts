import * as z from 'zod/mini'
import { isAdvisoryId } from '../../security/advisory-ids.ts'

const Scored = z.nullish(z.object({ vector_string: z.nullish(z.string()) }))

/** Common members of both kinds of GitHub advisories. */
const Common = z.object({
  ghsa_id: z.string().check(z.maxLength(50), z.refine(isAdvisoryId, 'the id of an advisory')),
  cve_id: z.nullish(z.string()),
  html_url: z.string(),
  summary: z.nullish(z.string()),
  severity: z.nullish(z.string()),
  cvss: Scored,
  cvss_severities: z.nullish(z.object({ cvss_v3: Scored, cvss_v4: Scored })),
  withdrawn_at: z.nullish(z.string()),
})
export type Common = z.infer<typeof Common>

/** https://docs.github.com/rest/security-advisories/repository-advisories#list-repository-security-advisories */
export const RepositoryAdvisories = z
  .array(
    z.extend(Common, {
      state: z.string(),
      published_at: z.nullish(z.string()),
      updated_at: z.nullish(z.string()),
      vulnerabilities: z.nullish(
        z.array(
          z.object({
            package: z.nullish(z.object({ name: z.nullish(z.string()) })),
            vulnerable_version_range: z.nullish(z.string()),
            patched_versions: z.nullish(z.string()),
          }),
        ),
      ),
    }),
  )
  .check(z.maxLength(100))

export type RepositoryAdvisory = z.infer<typeof RepositoryAdvisories>[number]

/** https://docs.github.com/rest/security-advisories/global-advisories#list-global-security-advisories */
export const GlobalAdvisories = z.array(Common).check(z.maxLength(100))
