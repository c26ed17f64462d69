import { clean, html, name } from '../../render/html/markup.ts'
import { titles } from '../../views/titles.ts'
import { filterForm } from './form.ts'
import { listPage, showTable, timeColumn } from './page-table.ts'
import { given, type WebPage } from './view.ts'

export const auditPage: WebPage = {
  path: '/audit',
  nav: 'Audit',
  for: 'admin',
  filters: ['login'],
  async show({ query, view, call }) {
    const asked = given(query, ['login'])
    const { listed } = await listPage(view, (paging) => call('listAudit', { query: { ...asked, ...paging } }))
    return {
      title: 'Audit',
      body: html`<h1>Audit</h1>
<p>Who did what on this server. Entries older than the retention of the store are gone.</p>
${filterForm(view, [{ name: 'login', label: 'Login name', type: 'search' }])}
${showTable(view, {
  id: 'audit',
  caption: 'Entries, the newest first',
  columns: [
    timeColumn(titles.time, 'at'),
    {
      title: titles.account,
      value: ({ login }) => (login === null ? 'nobody' : name(login)),
      text: ({ login }) => login,
    },
    {
      title: titles.action,
      value: ({ action }) => html`<span class="word">${clean(action, 100)}</span>`,
      text: ({ action }) => action,
    },
    { title: titles.subject, value: ({ subject }) => clean(subject, 300) || null },
    { title: titles.request, value: ({ request_id }) => clean(request_id, 64) || null },
  ],
  ...listed,
  empty: 'No entry matches.',
})}`,
    }
  },
}
