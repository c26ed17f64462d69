import type { OwnerRule } from '../../contract/ownership.ts'
import { html, name, time } from '../../render/html/markup.ts'
import { titles } from '../../views/titles.ts'
import { showTable } from './page-table.ts'
import type { WebPage } from './view.ts'

/** Ownership rules in order of precedence. */
export const ownersPage: WebPage = {
  path: '/owners',
  for: 'pro',
  async show({ view, call }) {
    const found = await call('getOwners', {})
    const { owners, changed_at, changed_by } = found
    const pattern = (text: string | undefined) => (text === undefined ? null : html`<code>${text}</code>`)
    return {
      title: 'Owners',
      body: html`<h1>Owners</h1>
<p>Of what matches several rules, the last one says who owns it. ${changed_at !== null && html`Set by ${name(changed_by)} ${time(changed_at)}. `}Set them with <code class="command">relt owners set owners.yaml</code>. ${view.link('/findings', 'Findings by owner', { group_by: 'owner' })}; ${view.link('/findings', 'findings that nobody owns', { owner: '-' })}.</p>
${showTable(view, {
  id: 'owners',
  caption: 'Rules, the last one that matches counts',
  columns: [
    {
      title: titles.owner,
      value: ({ owner }: OwnerRule) => html`<a href="${view.href('/findings', { owner })}">${name(owner)}</a>`,
      text: ({ owner }) => owner,
    },
    {
      title: titles.contact,
      value: ({ contact }) => (contact === undefined ? null : name(contact)),
      text: (rule) => rule.contact,
    },
    { title: titles.cluster, value: ({ cluster }) => pattern(cluster), text: (rule) => rule.cluster },
    { title: titles.namespace, value: ({ namespace }) => pattern(namespace), text: (rule) => rule.namespace },
    { title: titles.workload, value: ({ workload }) => pattern(workload), text: (rule) => rule.workload },
  ],
  rows: owners,
  json: found,
  empty: 'No owners are set.',
})}`,
    }
  },
}
