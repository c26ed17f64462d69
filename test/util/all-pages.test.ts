import { expect, test } from 'vitest'
import { allPages } from '../../src/util/all-pages.ts'

test('returns the items of all pages in their order', async () => {
  const pages = [[1, 2], [3]]
  expect(await allPages(async (page) => ({ items: pages[page - 1]!, total_pages: 2 }))).toEqual([1, 2, 3])
  expect(await allPages(async () => ({ items: [1], total_pages: null }))).toEqual([1])
})

test('reads a page with more items than a call can have arguments', async () => {
  const items = Array.from({ length: 300_000 }, (_, index) => index)
  expect((await allPages(async () => ({ items, total_pages: 1 }))).length).toBe(300_000)
})

test('ends at a page without a new item, and at a number of items', async () => {
  const endless = Number.MAX_SAFE_INTEGER
  let asked = 0
  const repeat = async (page: number) => ({ items: [`${++asked && page % 2}`], total_pages: endless })
  expect(await allPages(repeat, { toId: (item) => item })).toEqual(['1', '0'])
  expect(asked).toBe(3)
  const grow = async (page: number) => ({ items: [`${page}`], total_pages: endless })
  await expect(allPages(grow, { toId: (item) => item, most: 10 })).rejects.toMatchObject({ code: 'bad_answer' })
})

test('refuses a list without an end, of small pages and of large ones', async () => {
  const large = Array.from({ length: 400_000 }, () => 0)
  for (const items of [[0], large]) {
    await expect(allPages(async () => ({ items, total_pages: Number.MAX_SAFE_INTEGER }))).rejects.toMatchObject({
      code: 'bad_answer',
      message: 'The server sends a list without an end.',
    })
  }
})
