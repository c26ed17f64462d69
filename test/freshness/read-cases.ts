import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What something in a cluster is and how it stands, by facts that were written down apart from the program. */
export interface Case {
  /** The file that it stands in. */
  family: string
  /** An image, `chart NAME VERSION` (perhaps `with IMAGE`), `app NAME VERSION` or `kubernetes VERSION`. */
  what: string
  /** Slug; null for what no project publishes. */
  project: string | null
  /**
   * `version`, `no-version` and `own` are of what managed offerings run: `newest` is then the version that the tag carries.
   * `doubtful`: it may be the project's or not, so that no sure answer is right.
   */
  status: string
  /** What it should be compared with, without what stands before the number; null where the case does not say. */
  newest: string | null
  why: string
  /** The version that the advice leads to, `stay` for none, and the release cycle; undefined where the case does not say. */
  step: string | undefined
  cycle: string | undefined
}

const folder = join(import.meta.dirname, 'cases')

/** The tables in `cases/`: a line each, columns apart by two spaces or more, `-` for what there is not. */
export function readCases(): Case[] {
  return readdirSync(folder).flatMap((file) => {
    const lines = readFileSync(join(folder, file), 'utf8').split('\n')
    return lines.filter((line) => line !== '' && !line.startsWith('#')).map((line) => readCase(file, line))
  })
}

function readCase(file: string, line: string): Case {
  const [what, project, status, newest, why, step, cycle, ...surplus] = line.split(/ {2,}/)
  if (!what || !project || !status || !newest || !why || surplus.length > 0) throw new Error(`${file}: ${line}`)
  const given = (text: string) => (text === '-' ? null : text)
  return {
    family: file.replace('.txt', ''),
    what,
    project: given(project),
    status,
    newest: given(newest),
    why,
    step,
    cycle,
  }
}
