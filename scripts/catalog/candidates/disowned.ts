import { basename, dirname } from 'node:path/posix'
import { compareStages, parseVersion } from '../../../src/freshness/versions.ts'
import type { Found, Repository } from './candidate.ts'
import { sentencesOf, toParagraphs } from './plain-text.ts'

/** Releases that notes, change logs and upgrade guides of the project take back. */

const notes =
  /(?:^|\/)(?:[\w.-]*change-?_?s?(?:log)?|history|[\w.-]*release[-_]?notes?|news|[\w.-]*upgrad(?:e|ing)[\w.-]*)(?:[-_./][^/]*)?\.(?:md|mdx|rst|adoc|txt)$|(?:^|\/)(?:changelogs?|notes|release-?notes|releases|upgrad(?:e|ing)|important-notes)\/[^/]*\.(?:md|mdx|rst|adoc)$/i
export const isForeign = (path: string) => /(?:^|\/)(?:vendor|node_modules|third_party|tests?|testdata)\//.test(path)
const version = String.raw`v?\d+\.\d+\.\d+(?:[-+.]\w[\w.]*\w|[-+]\w)?`
const anyVersion = new RegExp(`(?<![\\w.])${version}(?!\\w)`, 'g')
const startsWithVersion = new RegExp(`^\\W*${version}\\W*(?:$|[(/-])`)
const thing = '(?:releases?|versions?|charts?|builds?|images?|tags?|manifests)'
const those = String.raw`(?:(?:this|these|that|the (?:previous|above)) (?:\w+ )?${thing}|(?:the )?(?:[\w-]+ )?(?:${thing} )?${version})`
const refusal = [
  String.raw`(?:do not|don't|never|should not|shouldn't|must not|not recommended to|recommended? (?:that you )?(?:not|against)|advised? (?:not|against)|(?:please|to)? ?avoid)(?: to| be)? ?(?:use|using|used|install\w*|upgrad\w+|updat\w+|deploy\w*|run\w*)?(?: \w+)?(?: to)? ${those}`,
  String.raw`\bdo not use any ${thing} (?:from|of) ${version}`,
  String.raw`\bminimum (?:recommended|safe)[^.]{0,40}versions?\b.{0,60}?${version}`,
  String.raw`\bhotfix\w* ${thing} for [\w./:-]*?${version}`,
  String.raw`${version}\W{0,2} ${thing} (?:is|are|was) affected by`,
  String.raw`\b(?:issues?|problems?|failures?) (?:with|of|in) the previous release\b|\bprevious release failed\b`,
  String.raw`(?<!(?:not|cannot|can't|don't|never|to) )\bskip(?:ping)? ${those}`,
  String.raw`${those}[^.;]{0,30}? (?:was|were|is|are|has been|have been|be|got) (?:\w+ )?(?:withdrawn|yanked|retracted|revoked|pulled|cancell?ed|recalled|unpublished|skipped|unusable|faulty|incorrectly released|incomplete|not recommended|removed from (?:the |docker )?(?:registry|hub|repository|index|channels?))\b`,
  String.raw`${those}(?:\W+not recommended\b| (?:should|must)(?: not|n't) be (?:used|installed|deployed))`,
  `(?:${version} |this )(?:release |version |build )?(?:is|was) (?:completely |badly )?broken`,
  String.raw`\b(?:release|version|tag) (?:was )?cancell?ed|[[(](?:yanked|withdrawn)[\])]|\bbad release\b|\bfailed release\b|\brelease (?:has )?failed\b|\b(?:accidentally|incorrectly|mistakenly) (?:released|published)`,
]
const disown = new RegExp(refusal.join('|'), 'i')
/** The releases that are named as remedy, and those of parts. */
const remedy = new RegExp(
  `(?:use|using|fix(?:ed)?|released|resolved|available|addressed|in favou?r of|replaced (?:by|with)|(?:upgrade|update)(?: directly| straight)?) (?:(?:to|in|with|by|release|version|chart|the|at least) )*${version}`,
  'gi',
)
const innocent =
  /^(?!.*\bminimum).*\b(?:unless|without|until|in production|for production|\w+ flag|\w+ option|yet)\b|\bskip(?:ping)? (?:minor|major|versions|releases)\b/i
const isRelation =
  /^(?:a|an|are|was|were|on|and|or|to|of|in|from|at|as|by|for|the|this|these|that|with|until|through|both|be|is|use|using|skip|skipping|avoid|upgrade|upgrading|install|installing|than|before|release|releases|version|versions|chart|charts|tag|tags|image|images|build|manifests|please|note|like|patch|update|run|running|deploy|between)$/i

export const isNotes = (path: string) => notes.test(path) && !isForeign(path)

export function findDisowned({ files, names, slugs }: Omit<Repository, 'url' | 'day'>): Found[] {
  return [...files].flatMap(([path, text]) => {
    if (!isNotes(path)) return []
    const folder = dirname(path)
    const chart = files.has(`${folder}/Chart.yaml`) ? basename(folder) : undefined
    const [title] = versionsIn(basename(path).replace(/\.\w+$|^\D+/g, ''))
    const found = disownedIn(text, { names: chart ? [...names, chart] : names, slugs, title })
    return found.map((each) => ({ ...each, ...(chart && { chart }), at: `${path}${each.at}` }))
  })
}

interface Reading {
  names: readonly string[]
  slugs: ReadonlyMap<string, string>
  /** The release that the whole text is about. */
  title?: string | undefined
}

export function disownedIn(text: string, { names, slugs, title: whole }: Reading): Found[] {
  const own = new Set(names.flatMap((name) => name.toLowerCase().split(/[^a-z0-9]+/)))
  const paragraphs = toParagraphs(text).map((each) => {
    // The heading of a guide names a release to upgrade to, and not the one that its text is about.
    const isTitle = (each.level > 0 || startsWithVersion.test(each.text)) && !/^upgrad/i.test(each.text)
    return { ...each, title: isTitle ? versionsIn(each.text.replace(remedy, ''))[0] : undefined }
  })
  let heading = { level: 0, title: whole }
  return paragraphs.flatMap(({ line, level, title, text: paragraph }, at) => {
    if (title || (level > 0 && level <= heading.level)) heading = { level: level || 6, title }
    return sentencesOf(paragraph).flatMap((sentence, place, all): Found[] => {
      const match = disown.exec(sentence)
      if (!match || innocent.test(sentence) || /\b(?:when|where)\b/i.test(match[0])) return []
      const [words] = match
      const end = match.index + words.length
      const rest = `${sentence.slice(0, match.index).replace(remedy, '')}${words}${sentence.slice(end).replace(remedy, '')}`
      const subject = toSubject(rest, heading.title)
      const isPrevious = /previous release/i.test(words)
      const release = isPrevious ? paragraphs.slice(at + 1).find((each) => each.title)?.title : heading.title
      const told = /\b(?:this|these)\b/i.test(words)
        ? toSubject((all[place - 1] ?? '').replace(remedy, ''), heading.title)
        : []
      const unnamed = told.length > 0 ? told : release ? [{ version: release }] : []
      const about = versionsIn(rest).length > 0 ? subject : unnamed
      const state = withdrawal.test(words) ? 'withdrawn' : 'broken'
      return about
        .filter(({ version }) => !prerelease.test(version))
        .map((each) => ({ ...each, state, evidence: words.slice(0, 80), at: `#L${line}` }))
    })
  })

  /** Releases that a sentence names: of the project, and none after the heading's; or of another project. */
  function toSubject(sentence: string, title: string | undefined) {
    return [...sentence.matchAll(anyVersion)].flatMap(({ 0: text, index }) => {
      const version = text.replace(/^v/, '')
      const before = sentence.slice(Math.max(0, index - 40), index).toLowerCase()
      const words = before.match(/[\w.-]+/g) ?? []
      const last = words.at(-1) ?? 'version'
      const isOwn =
        isRelation.test(last) || startsWithVersion.test(last) || last.split(/[^a-z0-9]/).some((part) => own.has(part))
      const other = words.map((word) => slugs.get(word)).find((slug) => slug !== undefined)
      if (!isOwn) return other ? [{ version, projects: [other] }] : []
      if (title && isLater(version, title)) return []
      return [{ version: /\bminimum\b/i.test(sentence) ? `<${version}` : version }]
    })
  }
}

const prerelease = /-(?:alpha|beta|rc|pre|dev|snapshot)/i
const withdrawal = /withdrawn|yank|retract|revoked|pulled|cancel|recalled|unpublished|skipped|removed/i

const versionsIn = (text: string) => [...text.matchAll(anyVersion)].map(([each]) => each.replace(/^v/, ''))

function isLater(version: string, than: string) {
  const [a, b] = [parseVersion(version), parseVersion(than)]
  return a !== undefined && b !== undefined && compareStages(a, b) > 0
}
