import type { Clock } from './clock.ts'

/** Logs a persistent failure once in five minutes, not at each turn. */
export function logOnce({ now }: Clock, log: (reason: string) => void): (error: unknown) => void {
  let last: { reason: string; at: number } | undefined
  return (error) => {
    const reason = (error as Error).message
    if (last?.reason === reason && now() - last.at < 300) return
    last = { reason, at: now() }
    log(reason)
  }
}
