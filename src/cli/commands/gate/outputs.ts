import { appendFileSync, closeSync, openSync, realpathSync, statSync } from 'node:fs'
import type { CiFinding, CiReport } from '../../../ci/report.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { unwritable } from '../../../util/file-error.ts'
import { replaceFile, writeParts } from '../../../util/replace-file.ts'
import { version } from '../../../version.ts'
import type { OptionsOf } from '../../program/options.ts'

/** Maximum size of a step summary on GitHub. */
const maxSummaryBytes = 1024 * 1024

export const htmlOption = { '--html <file>': 'write a web page about the run (see `relt reports html`)' } as const

export const outputOptions = {
  '--summary <file>': 'write a Markdown summary',
  '--junit <file>': 'write the rules as JUnit XML test cases',
  '--sarif <file>': 'write the findings as SARIF 2.1.0',
  '--code-quality <file>': 'write the findings as a GitLab code quality report',
  '--comment': 'write a comment on the pull or merge request, and update it from then on',
  ...htmlOption,
} as const

/** Writes the requested files, and GitHub's summary and annotations. `findings` is called only if needed. */
export async function writeOutputs(
  { env, stderr }: Context,
  options: OptionsOf<typeof outputOptions>,
  report: CiReport,
  findings: () => Promise<CiFinding[]>,
) {
  const { summary, junit, sarif, codeQuality } = options
  const stepSummary = env.GITHUB_STEP_SUMMARY
  if (summary || stepSummary) {
    const { renderMarkdown } = await import('../../../ci/markdown.ts')
    if (summary) write(summary, renderMarkdown(report, maxSummaryBytes))
    if (stepSummary) append(stepSummary, (room) => renderMarkdown(report, room))
  }
  if (junit) write(junit, (await import('../../../ci/junit.ts')).renderJunit(report))
  if (sarif) write(sarif, (await import('../../../ci/sarif.ts')).renderSarif(report, await findings(), version))
  if (codeQuality) write(codeQuality, (await import('../../../ci/code-quality.ts')).renderCodeQuality(await findings()))
  if (env.GITHUB_ACTIONS === 'true') {
    const { renderAnnotations } = await import('../../../ci/annotations.ts')
    stderr.write(renderAnnotations(report.result))
  }
}

/**
 * Writes the file atomically: a partial report would look like one with fewer findings. Follows a link. Throws `usage` if
 * the file cannot be written.
 */
export function write(file: string, text: string | (() => Iterable<string>)): void {
  const parts = typeof text === 'string' ? () => [text] : text
  naming(file, () => {
    const known = statSync(file, { throwIfNoEntry: false })
    if (known && !known.isFile()) return writeInPlace(file, parts())
    try {
      replaceFile(known ? realpathSync(file) : file, parts(), { mode: known ? known.mode & 0o777 : 0o666 })
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      if (!known || !irreplaceable.includes(code)) throw error
      writeInPlace(file, parts())
    }
  })
}

/** Error codes for a folder without write access, and for a file mounted into a container. */
const irreplaceable = ['EACCES', 'EPERM', 'EROFS', 'EBUSY']

function writeInPlace(file: string, parts: Iterable<string>): void {
  const handle = openSync(file, 'w')
  try {
    writeParts(handle, parts)
  } finally {
    closeSync(handle)
  }
}

function append(file: string, render: (room: number) => string): void {
  naming(file, () => {
    const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
    appendFileSync(file, render(Math.max(0, maxSummaryBytes - size)))
  })
}

function naming(file: string, work: () => void): void {
  if (file === '-') {
    throw new ReltError('usage', 'Standard output has the answer of the command. Name a file in place of -.')
  }
  try {
    work()
  } catch (cause) {
    throw unwritable(file, cause)
  }
}
