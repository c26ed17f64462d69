import { expect, test } from 'vitest'
import { openLocalServer, sendJson } from '../collectors/local-server.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { openClient } from './open.ts'

const project = {
  id: 1,
  name: 'Argo CD',
  description: '',
  category: '',
  cncf_status: 'graduated',
  homepage: '',
  repo_url: '',
  helm_chart_repo: null,
  updated_at: '2026-09-01 12:00:00',
}
const empty = { docs_url: '', logo_url: '', latest_version: '', latest_published_at: '' }
const none = { docs_url: null, logo_url: null, latest_version: null, latest_published_at: null }

test.each([
  ['empty', empty],
  ['null', none],
  ['absent', {}],
])('a project whose fields are %s has no docs, no logo and no release', async (_, fields) => {
  const page = { page: 1, per_page: 20, total: 1, total_pages: 1, items: [{ ...project, ...fields }] }
  const { url } = await openLocalServer((_, response) => sendJson(response, page))
  const { items } = await openClient({ url }).call('listProjects', {})
  expect(items).toEqual([{ ...project, ...none }])
  const listed = await runCli(['projects', 'list', '--server', url, '--json'], { home: temporaryFolder() })
  expect(JSON.parse(listed.stdout).items[0]).toMatchObject(none)
  const table = await runCli(['projects', 'list', '--server', url, '--output', 'csv'], { home: temporaryFolder() })
  expect(table.stdout).toContain('1,Argo CD,,,graduated,')
})
