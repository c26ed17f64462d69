import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import type { NodeArchive } from './parts.ts'
import { type TargetName, targetNames } from './targets.ts'

export interface ReleaseOptions {
  /** Folder of the forms. */
  out: string
  /** Where the forms will be published. */
  url: string
  /** Registry and folder of the images. */
  registry: string
  targets: TargetName[]
  nodes: Partial<Record<TargetName, NodeArchive>>
  /** Executables that are signed already. */
  executables: Partial<Record<TargetName, string>>
  /** Tools of the agent's image: name → files, one for each architecture. */
  tools: [name: string, path: string][]
  /** Whether a form that cannot be made is an error. */
  strict: boolean
  /** Seconds since 1970, of all files in the forms. */
  time: number
  /** The commit that is released; undefined outside of git. */
  commit: string | undefined
}

export const usage = `Usage: npm run release -- [options]
  --out DIR                        folder of the forms (default: release)
  --url URL                        where they will be published
  --registry HOST/FOLDER           where the images will be published
  --target NAME                    only executables for this machine; repeatable
  --node NAME=ARCHIVE#SHA256       Node for a machine, in place of the one that is downloaded
  --executable NAME=FILE           an executable that is built and signed already
  --with TOOL=FILE                 a tool of the agent's image, once for each processor; repeatable
  --strict                         fail if a form cannot be made`

const multiple = { type: 'string', multiple: true } as const

/** Throws for arguments that are not understood. */
export function releaseOptions(args: string[], version: string, env = process.env): ReleaseOptions {
  const { values } = parseArgs({
    args,
    options: {
      ...{ out: { type: 'string' }, url: { type: 'string' }, registry: { type: 'string' } },
      ...{ target: multiple, node: multiple, executable: multiple, with: multiple, strict: { type: 'boolean' } },
    },
  })
  const nodes = (values.node ?? []).map((text): [TargetName, NodeArchive] => {
    const [, name = '', path = '', sha256 = ''] = /^([^=]+)=(.+)#([0-9a-f]{64})$/.exec(text) ?? []
    if (!path) throw new Error(`--node ${text}: write NAME=ARCHIVE#SHA256`)
    return [targetName(name), { path, sha256 }]
  })
  const pairs = (texts: string[] = []) =>
    texts.map((text): [string, string] => {
      const [, name, path] = /^([\w-]+)=(.+)$/.exec(text) ?? []
      if (!name || !path) throw new Error(`${text}: write NAME=FILE`)
      return [name, path]
    })
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = env
  const published = repository && `${server}/${repository}/releases/download/v${version}`
  return {
    out: values.out ?? 'release',
    // Of no one, as all names below `.example` are.
    url: values.url ?? (published || `https://downloads.example/relt/v${version}`),
    registry: values.registry ?? 'registry.example',
    targets: values.target?.map(targetName) ?? [...targetNames],
    nodes: Object.fromEntries(nodes),
    executables: Object.fromEntries(pairs(values.executable).map(([name, path]) => [targetName(name), path])),
    tools: pairs(values.with),
    strict: values.strict ?? false,
    time: Number(env.SOURCE_DATE_EPOCH ?? git('log', '-1', '--format=%ct') ?? fail()),
    commit: git('rev-parse', 'HEAD'),
  }
}

function targetName(name: string): TargetName {
  const found = targetNames.find((each) => each === name)
  if (!found) throw new Error(`${name} is none of ${targetNames.join(', ')}`)
  return found
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch {
    return undefined
  }
}

function fail(): never {
  throw new Error('Set SOURCE_DATE_EPOCH to the time of the release: this is no clone of git.')
}
