import { styleText } from 'node:util'

const styles = ['bold', 'dim', 'underline', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const

export type Color = Record<(typeof styles)[number], (text: string) => string> & {
  /** Paints text in a color such as `#1f6feb`, or the nearest in the terminal's palette. */
  hex: (hex: string, text: string) => string
}

export function createColor(enabled: boolean): Color {
  const paint = (style: (typeof styles)[number]) => (text: string) =>
    enabled ? styleText(style, text, { validateStream: false }) : text
  const named = Object.fromEntries(styles.map((style) => [style, paint(style)])) as Omit<Color, 'hex'>
  return {
    ...named,
    hex: (hex, text) =>
      enabled && /^#[0-9a-f]{6}$/i.test(hex) ? `\u001b[38;5;${nearest(hex)}m${text}\u001b[39m` : text,
  }
}

/** Maps to the 256-color palette: a cube from 16 on, with the levels 0, 95, 135, 175, 215 and 255. */
function nearest(hex: string) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16)
    return value < 48 ? 0 : Math.max(1, Math.round((value - 55) / 40))
  })
  return 16 + 36 * red! + 6 * green! + blue!
}
