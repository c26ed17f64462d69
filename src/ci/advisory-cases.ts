import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { andMore } from '../util/words.ts'
import { ratingText } from '../views/advisory.ts'
import { advisoryWord } from '../views/advisory-word.ts'
import { fixText } from '../views/step.ts'
import { short } from './text.ts'

/** Maximum advisories of an artifact in a test case. */
const maxListed = 100

/** A JUnit suite of test cases, with their counts. */
export function toSuite(name: string, testcase: object[]) {
  const count = (kind: 'failure' | 'error' | 'skipped') => testcase.filter((one) => kind in one).length
  return {
    ...{ '@_name': name, '@_tests': testcase.length, '@_failures': count('failure') },
    ...{ '@_errors': count('error'), '@_skipped': count('skipped'), testcase },
  }
}

/**
 * A JUnit suite with a test case per artifact: passed if no advisory is known to affect its version, skipped if unknown.
 * `affected` sets the result of an affected artifact. Excludes charts, whose version is not that of an app.
 */
export function advisorySuite({ items }: Pick<ReceivedFreshness, 'items'>, affected: 'failure' | 'skipped') {
  const apps = items.filter(({ artifact_type }) => artifact_type !== 'helm_chart')
  return toSuite(
    'relt advisories',
    apps.map((item) => testCase(item, affected)),
  )
}

function testCase(item: ReceivedFreshnessItem, affected: 'failure' | 'skipped') {
  const named = {
    '@_classname': 'relt.advisories',
    '@_name': short(item.display_name ?? item.artifact_key ?? '-', 300),
  }
  const { advisories_count: count, advisories_undecided: undecided } = item
  const skipped = (reason: string) => ({ ...named, skipped: { '@_message': reason } })
  if (count === null) return skipped('It is not known whether an advisory affects this version')
  if (count > 0) {
    const about = { '@_message': short(advisoryWord(item), 500), '#text': toList(item, count) }
    return affected === 'skipped'
      ? { ...named, skipped: about }
      : { ...named, failure: { '@_type': 'affected', ...about } }
  }
  if (undecided) return skipped(`${undecided} advisories cannot be compared with this version`)
  return named
}

function toList(item: ReceivedFreshnessItem, count: number): string {
  const lines = (item.advisories ?? []).slice(0, maxListed).map((advisory) => {
    const { id, severity, published, exploited } = advisory
    const used = exploited ? ', exploited' : ''
    return `${ratingText(severity)} ${id}${used}${published ? `, published ${published}` : ''}, ${fixText(advisory, item)}`
  })
  const more = count - lines.length
  return [...lines, ...(more > 0 ? [andMore(more)] : [])].map((line) => short(line, 300)).join('\n')
}
