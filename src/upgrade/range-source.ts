import type { Compatibility } from '../contract/upgrade-facts.ts'

/** A file that states which Kubernetes the release lines of a project go with. */
export interface RangeFile {
  /** `owner/repository/ref/path` at GitHub. */
  at: string
  /** Its address for people. */
  page: string
  read: RangeSource[]
}

/** Ranges in a file. docs/catalog.md describes the forms. */
export interface RangeSource {
  slug: string
  kind: Compatibility['kind']
  /** Fewer rows are refused. */
  rows: number
  /** Pattern of the part with the ranges, with its headings. */
  within: string
  /** Pattern of a row, with the groups `line`, `patch`, and `versions`. Without it, the part has a row of first releases. */
  row?: string
  /** The cell text that marks a version of the heading as supported. */
  mark?: string
  /** The line of a file about one, or lines that a row of first releases does not name. */
  lines?: string[]
}
