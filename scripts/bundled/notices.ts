import type { BundledPackage } from './packages.ts'

/** `THIRD_PARTY_NOTICES`: each license text once, below the packages that have it. Throws when a package has none. */
export function renderNotices(packages: BundledPackage[], introduction: string): string {
  const without = packages.filter(({ licenseText }) => licenseText === '').map(({ name }) => name)
  if (without.length > 0) {
    throw new Error(`no license text of ${without.join(', ')}: add one to licenses/ and scripts/bundled/native.ts`)
  }
  const byText = Map.groupBy(packages, ({ licenseText }) => licenseText.replaceAll('\r\n', '\n'))
  const sections = [...byText].map(([text, those]) => `${rule}\n${those.map(formatHeading).join('\n')}\n\n${text}\n`)
  return `${introduction}\n\n${sections.join('\n')}`
}

const rule = '-'.repeat(80)

const formatHeading = ({ name, version, license }: BundledPackage): string =>
  [name, version, license && `(${license})`].filter(Boolean).join(' ')
