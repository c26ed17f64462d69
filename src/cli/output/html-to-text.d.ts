declare module 'html-to-text' {
  export interface Options {
    wordwrap: number | false
    limits: { maxBaseElements: number; maxChildNodes: number; maxDepth: number; ellipsis: string }
    selectors: { selector: string; format?: string; options?: Record<string, unknown> }[]
  }
  export function convert(html: string, options: Options): string
}
