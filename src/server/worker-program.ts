/** File that a worker thread runs. Tests replace this module with the built program. */
export function workerProgram() {
  return new URL(import.meta.url.endsWith('.ts') ? '../main.ts' : '../main.cjs', import.meta.url)
}
