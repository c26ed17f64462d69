import type { Found, Repository } from './candidate.ts'
import { sentencesOf, toParagraphs } from './plain-text.ts'

/** What a README says of its project as a whole, in its first lines. */

const firstLines = 60
const ended =
  'deprecated|archived|retired|discontinued|abandoned|unmaintained|obsolete|sunset(?:ted)?|inactive|end[- ]of[- ](?:life|line)|eol|maintenance mode'
const stopped = String.raw`no longer (?:(?:being|under|in|an?|actively|be) )*(?:maintain|support|develop|updat|active)\w*|not (?:being )?(?:actively )?(?:maintained|developed)\b|(?:ended|stopped|discontinue) (?:active )?(?:development|maintenance)|no (?:more|further|longer any) (?:new )?(?:development|releases|updates)`
const moved = String.raw`(?:has|have|was|been|is|are)(?: now| been)? (?:\w+ )?(?:moved|migrated|merged|donated|renamed|super[sc]ee?ded|replaced)\b(?=.{0,60}\b(?:to|into|in|by|with|and)\b)|continues (?:at|in|as)\b`
const whole = String.raw`\b(?:this|the|our) (?:[\w.'/-]+ ){0,4}?(?:[\w-]+-)?(?:project|repo|repository|product|tool|charts?|operator|controller|plug-?in|software|code ?base|code|exporter|driver|component|fork)\b`
/** Parts of a project, and what is around it. */
const part =
  /\b(?:flags?|options?|fields?|features?|apis?|commands?|parameters?|arguments?|annotations?|formats?|settings?|endpoints?|branch(?:es)?|modules?|functions?|methods?|syntax|variables?|values?|support for|docs|documentation|issues?|chat|slack|discord|forum|mailing list|website|wiki|meetings?|versions? v?\d|(?<!this )versions|(?:old|older|previous|legacy|earlier) \w+|images?|packages?|dependenc(?:y|ies)|director(?:y|ies)|folder|examples?|policy|policies|providers?|resources?|releases?)\b/i
const conditional = /\b(?:if|when|once|unless|until|whether|in case|could|may|might|would)\b/i
const negated = /\b(?:not|never|isn't|hasn't|un|non)[ -](?:(?:yet|been|be|currently) )*$/i
/** After `deprecated`: nothing, punctuation, or a word that does not belong to a noun. */
const complete =
  /^(?:$|[^\w\s]|\s+(?:$|[^\w\s]|(?:and|or|in|for|as|by|since|on|but|with|due|from|at|because|to|which|please|now|effective|it|you|there|use|repository|repo|project|tool)\b))/i
const headline = new RegExp(
  String.raw`^\W*(?:${ended}|${stopped})\W*(?:$|[:\])–-])|[[(](?:${ended}|moved)[\])]\W*$|\b(?:eol|deprecation|archival|archive|retirement|end[- ]of[- ]life)\b(?: and \w+)? (?:notice|announcement)|\bretirement$|\bstatus: (?:${ended})`,
  'i',
)

/** Without doubt only after a person has read it. */
export function findEnded({ url, files, names }: Pick<Repository, 'url' | 'files' | 'names'>): Found[] {
  const [, organization] = /\/([\w-]*-(?:retired|archived?|archives|attic))\/[^/]+$/.exec(url) ?? []
  if (organization) return [{ state: 'archived', evidence: `in ${organization}`, at: '' }]
  const [path] = [...files.keys()]
    .filter((each) => /^readme[\w-]*\.\w+$/i.test(each))
    .sort((a, b) => a.length - b.length)
  const notice = path && findNotice(files.get(path)!, names)
  return notice ? [{ state: notice.state, evidence: notice.evidence, at: `${path}#L${notice.line}` }] : []
}

export function findNotice(readme: string, names: readonly string[]) {
  const own = names.map((name) => RegExp.escape(name).replace(/\\x2d|-|_|\\x20| /g, '[-_ ]?')).join('|')
  const statement = new RegExp(String.raw`(?:${whole}|\b(?:${own})\b)(.*?)\b(${ended}|${stopped}|${moved})`, 'i')
  const alone = new RegExp(
    String.raw`^()(${stopped}|.{0,20}development (?:has )?(?:ended|stopped|moved))|()(\b(?:will discontinue (?:maintenance|development|support) of|plans? to (?:discontinue|retire|sunset) (?:${own}|${whole}))\b)`,
    'i',
  )
  for (const { line, level, text } of toParagraphs(readme)) {
    if (line > firstLines) return undefined
    for (const sentence of sentencesOf(text)) {
      if (headline.test(sentence) && !part.test(sentence) && (level > 0 || sentence.length < 80))
        return { line, state: stateOf(sentence), evidence: sentence.slice(0, 60) }
      const match = statement.exec(sentence) ?? alone.exec(sentence)
      if (!match) continue
      const [, between = '', verb = match[0]] = match
      const before = sentence.slice(0, match.index + match[0].length - verb.length)
      const isAdjective =
        /^(?:deprecated|archived|retired|obsolete)$/i.test(verb) &&
        !complete.test(sentence.slice(before.length + verb.length))
      const isWhole = !part.test(before) && !conditional.test(before) && !negated.test(before) && between.length < 100
      if (isWhole && !isAdjective) return { line, state: stateOf(sentence), evidence: verb }
    }
  }
  return undefined
}

function stateOf(sentence: string) {
  if (/maintenance mode/i.test(sentence)) return 'maintenance'
  if (/supersed|superced|replaced|moved|merged|migrated|in favou?r|renamed|donated|continues/i.test(sentence))
    return 'superseded'
  return /archived/i.test(sentence) ? 'archived' : 'retired'
}
