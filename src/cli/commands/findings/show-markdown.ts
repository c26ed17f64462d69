import type { FindingDetails } from '../../../contract/finding.ts'
import type { FixProposal } from '../../../contract/fix-proposal.ts'
import { findingDetails, occurrenceColumns, ownersDetail } from '../../../views/finding-details.ts'
import { proposalView } from '../../../views/fix-proposal.ts'
import { plainText } from '../../../views/said.ts'
import { escapeMarkdown, renderHeadline, renderMarkdown } from '../../output/markdown.ts'

/** Formats a finding as a note for an issue or pull request. */
export function findingMarkdown(found: FindingDetails, exceptions: string) {
  const { finding, clusters, proposal } = found
  const details = [...findingDetails(finding), ...ownersDetail(found)].map(({ title, lines }) => [
    title,
    lines.map(plainText).join('\n'),
  ])
  const columns = Object.values(occurrenceColumns)
  const fields = [['Finding', finding.fingerprint], ...details, ['Exceptions', exceptions]]
  const parts = [
    renderHeadline([finding.message || finding.check_name]) +
      renderMarkdown({ titles: ['Field', 'Value'], aligns: [undefined, undefined], rows: fields }),
    ...(proposal ? [proposalMarkdown(proposal)] : []),
    renderMarkdown({
      titles: columns.map(({ title }) => title),
      aligns: columns.map(({ align }) => align),
      rows: clusters.map((each) => columns.map(({ text }) => text(each) ?? '')),
    }),
  ]
  return parts.join('\n')
}

function proposalMarkdown(proposal: FixProposal) {
  const { title, about, steps, notes } = proposalView(proposal)
  const listed = steps.map(({ words, command }, i) => {
    const text = plainText(command)
    const fence = '`'.repeat(Math.max(3, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length + 1)))
    return `${i + 1}. ${escapeMarkdown(plainText(words))}\n\n   ${fence}sh\n   ${text}\n   ${fence}\n\n`
  })
  const rest = notes.map((note) => `- ${escapeMarkdown(plainText(note))}\n`).join('')
  return `#### ${title}\n\n${escapeMarkdown(plainText(about))}\n\n${listed.join('')}${rest}`
}
