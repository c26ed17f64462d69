/** Something that a machine read, and that a person confirms or rejects. */
export interface Candidate {
  /** Which text says so: see docs/catalog.md. */
  machine: string
  /** Slugs of the projects that have the repository; none for things that the catalog lacks. */
  projects?: string[]
  name: string
  /** If the chart is meant, and not the project. */
  chart?: string
  state: string
  /** Or a range. */
  version?: string
  since?: string
  /** The deciding words alone. */
  evidence: string
  source: string
  /** Day of the text. */
  as_of: string
  verdict: 'open' | 'confirmed' | 'rejected'
}

/** What a machine adds to what is known of the repository; `at` is the file, maybe with its line. */
export type Found = Partial<Candidate> & Pick<Candidate, 'state' | 'evidence'> & { at: string }

/** A repository at its newest commit. */
export interface Repository {
  url: string
  /** Day of the commit. */
  day: string
  /** Names of its projects. */
  names: readonly string[]
  /** Texts by path. */
  files: ReadonlyMap<string, string>
  /** Slugs of all projects by their names in lower case. */
  slugs: ReadonlyMap<string, string>
}

/** Without the line, which moves, and the file, of which there can be one for each release. */
const keyOf = ({ machine, projects, name, chart, version, source }: Candidate) =>
  JSON.stringify([source.split('/blob/')[0], machine, projects, name, chart, version])

/** A verdict stays, and so do rows of repositories that were not read this time. */
export function mergeCandidates(before: readonly Candidate[], found: readonly Candidate[], read: ReadonlySet<string>) {
  // The shortest address of several.
  const rows = new Map(found.toSorted((a, b) => b.source.length - a.source.length).map((row) => [keyOf(row), row]))
  for (const row of before) {
    const again = rows.get(keyOf(row))
    const isGone = !again && row.verdict === 'open' && read.has(row.source.split('/blob/')[0]!)
    if (!isGone) rows.set(keyOf(row), { ...row, ...again, verdict: row.verdict })
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
}
