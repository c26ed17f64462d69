import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'

/** Opens a web page in the user's browser. Throws unless it is an http(s) URL, because openers can start programs. */
export async function openPage({ env }: Context, page: string): Promise<void> {
  const url = webAddress(page)
  if (!url) throw new ReltError('invalid_param', `Not a web address: ${page}`)
  await start(env, url)
}

/** Opens a page that relt wrote. `file` is an absolute path. */
export async function openFile({ env }: Pick<Context, 'env'>, file: string): Promise<void> {
  const { pathToFileURL } = await import('node:url')
  await start(env, pathToFileURL(file).href)
}

async function start(env: Context['env'], url: string): Promise<void> {
  const { spawn } = await import('node:child_process')
  const [opener, ...args] = openers[process.platform] ?? ['xdg-open']
  const code = await new Promise<number | null>((resolve) => {
    const child = spawn(opener!, [...args, url], { env, stdio: 'ignore' })
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  if (code !== 0) throw new ReltError('internal', 'Could not start a browser.', { hint: `Open it yourself: ${url}` })
}

const openers: Partial<Record<NodeJS.Platform, string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** The normalized URL, which cannot be mistaken for an option; undefined if invalid. */
export function webAddress(text: string): string | undefined {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : undefined
}
