import { existsSync } from 'node:fs'
import { type Figure, inFolder, node, runInTurn } from './measure.ts'

/** How near a command is to the time that Node itself takes. */
export function startup(): Promise<Figure[]> {
  return inFolder((home) => {
    const env = { RELT_HOME: home }
    const search = ['--local', 'projects', 'search', 'argo', '--json']
    const [bare, version, help, found, versionNpm, foundNpm] = runInTurn(
      [
        { argv: [node, '-e', '0'] },
        { argv: [binary(), '--version'], env },
        { argv: [binary(), '--help'], env },
        { argv: [binary(), ...search], env },
        { argv: [node, 'bin/relt.js', '--version'], env },
        { argv: [node, 'bin/relt.js', ...search], env },
      ],
      15,
    )
    const figure = (name: string, ours: number, atMost: number): Figure => ({
      name,
      ours,
      base: bare!,
      unit: 'ms',
      atMost,
    })
    return [
      figure('binary --version / node -e 0', version!, 1.15),
      figure('binary --help / node -e 0', help!, 1.15),
      figure('binary projects search / node -e 0', found!, 3),
      figure('npm form --version / node -e 0', versionNpm!, 1.6),
      figure('npm form projects search / node -e 0', foundNpm!, 3.5),
    ]
  })
}

export function binary(): string {
  const file = 'dist/relt'
  if (!existsSync(file)) throw new Error('build the binary first: npm run build:binary')
  return file
}
