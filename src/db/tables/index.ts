import type { ProjectChartTable, ProjectImageTable, ProjectTable } from './project.ts'
import type { ReleaseTable } from './release.ts'
import type { ClusterTable, FindingHistoryTable, RunFindingTable, RunPartTable, RunTable } from './run.ts'
import type { MetaTable, UserTable } from './user.ts'

export interface Tables {
  meta: MetaTable
  user: UserTable
  project: ProjectTable
  project_image: ProjectImageTable
  project_chart: ProjectChartTable
  release: ReleaseTable
  cluster: ClusterTable
  run: RunTable
  run_part: RunPartTable
  run_finding: RunFindingTable
  finding_history: FindingHistoryTable
}
