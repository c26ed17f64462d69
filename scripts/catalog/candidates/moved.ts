import type { Found, Repository } from './candidate.ts'
import { isNotes } from './disowned.ts'
import { sentencesOf, toParagraphs } from './plain-text.ts'

const place =
  /\b(?:docker\.io|quay\.io|(?:\w+\.)?gcr\.io|registry\.k8s\.io|ghcr\.io|public\.ecr\.aws|mcr\.microsoft\.com|nvcr\.io|\w+\.azurecr\.io|docker ?hub)(?:\/[\w./-]*\w)?/gi
const change =
  /\b(?:mov(?:ed?|ing)|migrat\w+|switch(?:ed|ing)?|renamed|replaced?|deprecated|frozen|no longer|(?:now|only) (?:published|available|hosted|pushed|updated)|chang(?:ed?|ing)|instead)\b/i
const thing = /\b(?:images?|registr(?:y|ies)|charts?|repositor(?:y|ies))\b/i

/** Images and charts that a README, a change log or an upgrade guide gives another address. */
export function findMoved({ files }: Pick<Repository, 'files'>): Found[] {
  return [...files].flatMap(([path, text]) => {
    if (!isNotes(path) && !/^(?:charts\/[^/]+\/)?readme\.md$/i.test(path)) return []
    return toParagraphs(text).flatMap(({ line, text: paragraph }) =>
      sentencesOf(paragraph).flatMap((sentence): Found[] => {
        const [name, ...others] = new Set(sentence.match(place))
        if (!name || !change.test(sentence) || !thing.test(sentence)) return []
        return [{ name, state: 'moved', evidence: [name, ...others].slice(0, 4).join(', '), at: `${path}#L${line}` }]
      }),
    )
  })
}
