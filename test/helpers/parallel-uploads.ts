import { expect } from 'vitest'
import { start, uploaderFile } from './process.ts'
import { checkStore } from './store-check.ts'

/** Many processes upload into one store at once: each upload is answered, and each answered run is there and whole. */
export async function uploadInParallel(home: string, options: { processes: number; reports: number }): Promise<void> {
  const { processes, reports } = options
  const uploaders = Array.from(
    { length: processes },
    (_, i) => start(uploaderFile, [String(i * reports), String(reports)], { RELT_HOME: home }).finished,
  )
  const answered: string[] = []
  for (const { code, stdout, stderr } of await Promise.all(uploaders)) {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    answered.push(...stdout.trim().split('\n'))
  }
  expect(new Set(answered).size).toBe(processes * reports)
  expect(await checkStore(home)).toEqual(new Set(answered))
}
