import type { Client } from '../../../client/client.ts'
import type { ReceivedFinding } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { projectsOfFinding } from '../../../reports/projects-of-finding.ts'
import type { Cli } from '../../program/command.ts'
import { resolveProject } from '../projects/resolve.ts'

/** The project whose next release is meant: the named one, or the only one that runs where the finding is. */
export async function findReleaseProject(
  cli: Cli,
  { project, found }: { project: string | undefined; found: { finding: ReceivedFinding; run_id: string } | undefined },
): Promise<number> {
  if (project !== undefined) return Number(await resolveProject(cli, project))
  if (!found) throw unclear('Name the project whose next release ends the exception.')
  const projects = projectsOfFinding(found.finding, await listArtifacts(await cli.context.client(), found.run_id))
  const [only, ...others] = projects
  if (!only) throw unclear('The finding is about no workload whose project relt knows.')
  if (others.length > 0) {
    const slugs = projects.map(({ slug }) => plain(slug)).join(', ')
    throw unclear(`Releases of several projects run where the finding is: ${slugs}.`)
  }
  return only.id
}

async function listArtifacts(client: Client, run_id: string) {
  const { items } = await client.call('reportFreshness', { params: { run_id } })
  return items
}

const unclear = (message: string) =>
  new ReltError('usage', message, { hint: 'Add --project PROJECT, such as --project cert-manager.' })
