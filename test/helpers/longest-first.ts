import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Starting a process takes longer the more memory the worker has, and that grows with each file. These start hundreds. */
export const startingProcesses = [
  'test/scan/collect-reports.test.ts',
  'test/cli/commands/scan/run.test.ts',
  'test/cli/commands/scan/collect.test.ts',
  'test/cli/commands/reports/managed-kubernetes.test.ts',
  'test/scan/inventory.test.ts',
  'test/release/new-version.test.ts',
  'test/agent/install.test.ts',
  'test/agent/contexts.test.ts',
  'test/acceptance/scan.test.ts',
  'test/cli/commands/scan/scan.test.ts',
  'test/cli/commands/reports/freshness-nodes.test.ts',
  'test/agent/run-scan.test.ts',
  'test/scan/run-scanner.test.ts',
  'test/cli/planted-pipes.test.ts',
  'test/release/installers.test.ts',
  'test/ci/github-action.test.ts',
  'test/ci/template-scripts.test.ts',
]

/** By their duration. A file that needs a worker for long and begins last leaves the other cores idle. */
export const longestFiles = [
  'test/server/conformance.test.ts',
  'test/db/postgres/store-copy.test.ts',
  'test/agent/agent-process.test.ts',
  'test/cli/commands/catalog/catalog.test.ts',
  'test/acceptance/package.test.ts',
  'test/acceptance/demo.test.ts',
  'test/cli/commands/admin/backup.test.ts',
  'test/collectors/http.test.ts',
  'test/acceptance/first-ten-minutes.test.ts',
]

/** Vitest knows durations of earlier runs only: without them it orders files by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const first = [...startingProcesses, ...longestFiles]
    const rankFor = ({ moduleId, project }: TestSpecification) => {
      const rank = first.indexOf(relative(project.config.root, moduleId).replaceAll('\\', '/'))
      return rank === -1 ? first.length : rank
    }
    // Files of a project stay together: a worker loads the source once for them.
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name)
    return [...projects.values()].flatMap((group) => group.sort((one, other) => rankFor(one) - rankFor(other)))
  }
}
