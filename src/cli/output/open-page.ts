import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'

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
