export interface ProjectChartTable {
  name: string
  project_id: number
  /** Every release of the chart since this day is known, `YYYY-MM-DD`. */
  complete_since: string | null
}
