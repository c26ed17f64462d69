import { styleText } from 'node:util'

const styles = ['bold', 'dim', 'underline', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const

export type Color = Record<(typeof styles)[number], (text: string) => string>

export function createColor(enabled: boolean): Color {
  const paint = (style: (typeof styles)[number]) => (text: string) =>
    enabled ? styleText(style, text, { validateStream: false }) : text
  return Object.fromEntries(styles.map((style) => [style, paint(style)])) as Color
}
