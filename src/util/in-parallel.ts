/** Calls the work for each item in order, for `width` of them at once. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {
  const remaining = items.values()
  const worker = async () => {
    for (const item of remaining) await work(item)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
