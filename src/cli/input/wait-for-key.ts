import type { ReadStream } from 'node:tty'
import { ReltError } from '../../errors.ts'
import type { Io } from '../output/io.ts'

const quitKeys = ['q', '\u0003', '\u0004']

/** Waits for a key on a terminal. Throws `cancelled` for q, Ctrl-C and Ctrl-D. */
export async function waitForKey(io: Io) {
  const input = io.questions.input as ReadStream
  io.err(io.errColor.dim('Press a key to continue, or q to quit.'))
  input.setRawMode(true)
  try {
    if (quitKeys.includes(await nextKey(input))) throw new ReltError('cancelled', 'Cancelled.')
  } finally {
    input.setRawMode(false)
    input.pause()
    io.err(io.errCanRedraw ? '\r\u001b[K' : '\n')
  }
}

/** End of input counts as a key that quits. */
function nextKey(input: ReadStream): Promise<string> {
  return new Promise((resolve) => {
    const settle = (key: string) => {
      input.off('data', onData).off('end', onEnd)
      resolve(key)
    }
    const onData = (data: Buffer | string) => settle(data.toString())
    const onEnd = () => settle('q')
    input.on('data', onData).on('end', onEnd).resume()
  })
}
