import { confirm, yesOption } from '../../input/prompt.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { placeFor } from './place.ts'

export default verb({
  name: 'push-projects',
  summary: 'Create and update projects on a server from a file (admins only)',
  examples: [
    'relt catalog push-projects projects.yaml',
    'relt catalog push-projects projects.json --cleanup-removed --yes',
    'cat projects.yaml | relt catalog push-projects - --server prod',
  ],
  args: [['<file>', 'list of projects as YAML or JSON; - for standard input']],
  options: {
    '--cleanup-removed': 'remove pushed projects missing from this list',
    ...yesOption,
  },
  epilog: `Fields of a project: name, description, category, cncf_status, homepage, docs_url, repo_url,
helm_chart_repo, logo_url. Projects are matched by name, ignoring
case. Omitted fields keep their values.`,
  run: async (cli, file, { cleanupRemoved = false, yes }) => {
    const { readProjects } = await import('./read-projects.ts')
    const projects = await readProjects(cli.context, file)
    const place = await placeFor(cli)
    if (cleanupRemoved) {
      const lacking = `Remove pushed projects missing from this list of ${projects.length},`
      await confirm(cli, { yes }, `${lacking} with their releases and subscriptions, ${place}?`)
    }
    const answer = await cli.call('syncProjects', { body: { projects, cleanup_removed: cleanupRemoved } })
    const [created, updated, removed] = [answer.created, answer.updated, answer.removed].map(
      (count) => count ?? 'unknown',
    )
    await sayDone(cli, `Pushed projects: ${created} created, ${updated} updated, ${removed} removed ${place}`, answer)
  },
})
