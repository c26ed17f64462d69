import type { Release } from './release-folder.ts'

/** Each form with its size, then what could not be made. */
export function table({ artifacts, missing, out }: Release): string {
  const shown = artifacts.filter(({ file }) => !/\.(?:cdx|intoto)\.json$/.test(file))
  const width = Math.max(...shown.map(({ file }) => file.length))
  const rows = shown.map(({ file, size }) => `  ${file.padEnd(width)}  ${inMb(size)}`)
  const not = missing.map(({ form, reason }) => `  ${form}: ${reason}`)
  return [
    `${out}/SHA256SUMS has ${artifacts.length} files:`,
    ...rows,
    ...(not.length > 0 ? ['Not made:', ...not] : []),
    'The statements *.intoto.json are unsigned: `npm run release:sign` signs them in CI.',
  ].join('\n')
}

const inMb = (size: number): string => `${(size / 1e6).toFixed(1).padStart(6)} MB`
