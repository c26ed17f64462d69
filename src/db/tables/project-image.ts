export interface ProjectImageTable {
  repository: string
  /** Last part of the repository. */
  name: string
  project_id: number
}
