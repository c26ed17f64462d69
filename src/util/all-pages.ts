interface PageOf<T> {
  items: T[]
  /** Null when the server does not say. */
  total_pages: number | null
}

/** The items of all pages, in their order. */
export async function allPages<T>(ask: (page: number) => Promise<PageOf<T>>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page++) {
    const { items, total_pages } = await ask(page)
    all.push(...items)
    if (items.length === 0 || total_pages === null || page >= total_pages) return all
  }
}
