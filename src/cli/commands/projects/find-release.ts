import type { Client } from '../../../client/client.ts'
import type { ReleaseType } from '../../../contract/project.ts'
import type { ReceivedReleaseItem } from '../../../contract/received/catalog.ts'
import { ReltError } from '../../../errors.ts'

const pageSize = 100
const maxPages = 50

/** One release by its version, with `v` before it or not. Throws `not_found`. */
export async function findRelease(
  client: Client,
  { id, type, version }: { id: string; type: ReleaseType | undefined; version: string },
): Promise<ReceivedReleaseItem> {
  const bare = (text: string) => text.replace(/^v(?=\d)/, '')
  for (let page = 1, pages = 1; page <= Math.min(pages, maxPages); page++) {
    const query = { page, per_page: pageSize, ...(type && { type }) }
    const { items, total_pages } = await client.call('listReleases', { params: { id }, query })
    const found = items.find((release) => bare(release.version) === bare(version))
    if (found) return found
    pages = total_pages
  }
  throw new ReltError('not_found', `No release ${version} of this type.`, {
    hint: 'Other types: --type helm, --type pre',
  })
}
