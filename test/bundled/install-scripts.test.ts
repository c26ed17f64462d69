import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface Entry {
  version?: string
  hasInstallScript?: true
  dev?: true
}

const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
const packages: Record<string, Entry> = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages
const toName = (folder: string) => folder.replace(/^.*node_modules\//, '')
const entries = Object.entries(packages).filter(([folder]) => folder !== '')

test('each package with an install script is in the list, and no other', () => {
  const withScript = entries.filter(([, { hasInstallScript }]) => hasInstallScript).map(([folder]) => toName(folder))
  expect([...new Set(withScript)].sort()).toEqual(Object.keys(allowScripts).sort())
  expect(Object.values(allowScripts)).toEqual(withScript.map(() => true))
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m)
})

test('relt itself needs no install script', () => {
  const run = entries.filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript)
  expect(run).toEqual([])
})
