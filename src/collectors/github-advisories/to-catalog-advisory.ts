import type { CatalogAdvisory } from '../../security/catalog-advisory.ts'
import { readVersionRange } from '../../security/version-range.ts'
import { secondsOrNull } from '../../util/time.ts'
import type { GithubRepository } from '../github-releases/repository.ts'
import { rateAdvisory, readAdvisory } from './read.ts'
import type { RepositoryAdvisory } from './schema.ts'

interface Owner {
  repository: Pick<GithubRepository, 'owner' | 'name'>
  slug: string
}

/** Maximum packages of one advisory. */
const mostPackages = 100

/**
 * Affected versions of the repository's own package. Undefined if the advisory is about other packages, or unpublished.
 * Keeps unreadable ranges, so that no version counts as unaffected by them.
 */
export function toCatalogAdvisory(advisory: RepositoryAdvisory, owner: Owner): CatalogAdvisory | undefined {
  if (!isPublished(advisory)) return undefined
  const own = (advisory.vulnerabilities ?? []).filter(({ package: named }) => isOwnPackage(named?.name ?? '', owner))
  if (own.length === 0) return undefined
  const { id: ghsa, aliases, summary } = readAdvisory(advisory)
  const [id = ghsa] = aliases
  return {
    id,
    aliases: id === ghsa ? [] : [ghsa],
    ...rateAdvisory(advisory),
    published_at: secondsOrNull(advisory.published_at),
    is_record_date: false,
    modified_at: secondsOrNull(advisory.updated_at),
    withdrawn_at: null,
    summary,
    databases: ['GitHub'],
    affected: own
      .slice(0, mostPackages)
      .flatMap(({ vulnerable_version_range: range }) => readVersionRange(range ?? '') ?? unreadable(range ?? '')),
  }
}

export function isPublished({ state, withdrawn_at }: RepositoryAdvisory) {
  return state === 'published' && !withdrawn_at
}

/** `github.com/owner/name/v3`, `owner/name`, or the name alone. */
function isOwnPackage(name: string, { repository, slug }: Owner) {
  const plain = name
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?github\.com\//, '')
    .replace(/\/v\d+$/, '')
  const own = repository.name.toLowerCase()
  return [`${repository.owner.toLowerCase()}/${own}`, own, slug].includes(plain)
}

/** A range whose end is not a version, which makes it undecided. */
function unreadable(text: string): CatalogAdvisory['affected'] {
  return [{ introduced: '0', fixed: null, last_affected: `"${text.trim().slice(0, 150)}"` }]
}
