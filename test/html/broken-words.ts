import type { Page } from 'playwright-core'

/** Short words that the page breaks within; a narrow column shows `unknow` and `n`. */
export function brokenWords(page: Page): Promise<string[]> {
  return page.evaluate(`(() => {
    const range = document.createRange()
    const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT)
    const broken = []
    while (texts.nextNode()) {
      const { currentNode: node } = texts
      if (!node.parentElement.checkVisibility()) continue
      for (const { 0: word, index } of node.textContent.matchAll(/(?<![\\p{L}\\d])[\\p{L}\\d]{2,10}(?![\\p{L}\\d])/gu)) {
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (range.getClientRects().length > 1) broken.push(word)
      }
    }
    return broken
  })()`)
}
