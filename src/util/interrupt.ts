const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Ctrl-C and termination signals abort the work, which then cleans up. */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>) {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of signals) process.on(signal, abort)
  try {
    return await work(controller.signal)
  } finally {
    for (const signal of signals) process.off(signal, abort)
  }
}
