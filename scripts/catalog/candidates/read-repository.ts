import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const env = { ...process.env, GIT_TERMINAL_PROMPT: '0' }
const mostBytes = 2 * 1024 * 1024
// Paths with symbolic links would leave the folder.
const clone = ['clone', '-q', '--depth=1', '--filter=blob:none', '--no-checkout', '-c', 'core.symlinks=false']
/** Names of files and folders, in any case. */
const wanted = [
  '/readme*',
  'go.mod',
  'chart.yaml',
  '*change*',
  '*history*',
  '*release*',
  '*news*',
  '*notes*',
  '*upgrad*',
]
/** Pictures of notes. */
const unwanted = ['!*.gif', '!*.jpg', '!*.mp4', '!*.png', '!*.svg', '!*.webp']
const lists = ['/landscape.yml', '/products/', '/known_exploited_vulnerabilities.json']

/** The files of a repository that machines read, at its newest commit. Git fetches no others, and needs no token. */
export async function readRepository(url: string): Promise<{ day: string; files: Map<string, string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'relt-candidates-'))
  const git = (...args: string[]) => run('git', ['-C', folder, ...args], { env, timeout: 600_000 })
  try {
    await git(...clone, '-c', 'core.ignoreCase=true', '--', url, '.')
    await git('sparse-checkout', 'set', '--no-cone', ...wanted, ...lists, ...unwanted)
    await git('checkout', '-q')
    const { stdout } = await git('log', '-1', '--no-mailmap', '--format=%cs')
    const paths = globSync('**/*.{md,mdx,rst,adoc,txt,yml,yaml,json,mod}', { cwd: folder })
    const small = paths.filter((path) => {
      const file = statSync(join(folder, path))
      return file.isFile() && file.size <= mostBytes
    })
    const files = new Map(small.sort().map((path) => [path, readFileSync(join(folder, path), 'utf8')]))
    return { day: stdout.trim(), files }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
