import { globSync } from 'node:fs'
import { type Figure, runOnce } from './measure.ts'

interface Packed {
  size: number
  unpackedSize: number
}

/** What `npm install` brings: our package and its dependencies, as they travel and as they lie on disk. */
export async function packageSize(): Promise<Figure[]> {
  const keyring = globSync('node_modules/@napi-rs/keyring*').map((folder) => `./${folder}`)
  return [toFigure('npm package, packed / unpacked', ['.']), toFigure('the same with dependencies', ['.', ...keyring])]
}

function toFigure(name: string, folders: string[]): Figure {
  const { stdout } = runOnce({ argv: ['npm', 'pack', '--dry-run', '--json', '--ignore-scripts', ...folders] })
  const packed = Object.values(JSON.parse(stdout) as Record<string, Packed>)
  const sum = (member: keyof Packed) => packed.reduce((total, each) => total + each[member], 0) / 1e6
  return { name, ours: sum('size'), base: sum('unpackedSize'), unit: 'MB', isUnbounded: true }
}
