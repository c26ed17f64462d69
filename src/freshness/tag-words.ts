/** Meaning of words in image tags, in lower case. */

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** A number after one of these is the version of the base system. */
const distributions = words(`
  al alma almalinux alpine amazonlinux azurelinux bci bionic bookworm bullseye buster centos chainguard debian el fedora
  focal forky jammy jessie leap ltsc mariner nanoserver noble ol opensuse oracular oraclelinux photon plucky resolute rhel
  rocky rockylinux servercore sid stretch suse trixie ubi ubuntu windowsltsc windowsservercore wolfi xenial`)

const systems = words('darwin glibc gnu linux multiarch musl win windows')
const architecture = /^(?:amd64|arm\w*|aarch64|i[3-6]86|ppc64\w*|riscv64|s390x|x64|x86)$/

/** A tag that starts with one of these is built from a branch or commit, whatever number follows. */
const branches = words(`
  branch build canary ci commit daily dev devel develop development experimental feat feature fix git head latest main
  master merge nightly pr preview pull sha snapshot staging test testing trunk unstable weekly`)

const neutral = words('final ga rel release v ver version')

/** Words before the number of a rebuild of the same version. */
const revisions = words(`
  aks b build eks eksbuild fix gke hotfix k0s k3s p patch pl post r rancher rev revision rke2r security sp u update v
  vmware`)

const prereleases = words(`
  canary cr daily dev devel develop dirty ea edge experimental head insiders main master milestone next nightly pr pre
  prerelease preview rc snapshot test testing trunk unstable weekly`)

/** Meaning of a word before the number: `windowsltsc2022-amd64-2.9.3`, `main-1.2`, `stable-2.14.10`. */
export function leadKind(word: string) {
  const letters = toLetters(word)
  if (distributions.has(letters)) return 'distribution'
  if (systems.has(word) || architecture.test(word)) return 'platform'
  if (branches.has(letters)) return 'branch'
  return neutral.has(word) ? 'neutral' : 'other'
}

/** Meaning of a word after the number. `attached`: without a separator, as in `1.2.0a1`. */
export function suffixKind(word: string, attached: boolean) {
  const letters = toLetters(word)
  const counted = letters.length < word.length
  if (systems.has(word) || distributions.has(letters) || architecture.test(word)) return 'platform'
  if (/^(?:alpha|beta)/.test(letters) || prereleases.has(letters)) return 'prerelease'
  if (counted && (letters === 'm' || (attached && ['a', 'b', 'c'].includes(letters)))) return 'prerelease'
  if (revisions.has(letters) || revisions.has(word.replace(/(?<!\d)\d+$/, ''))) return 'revision'
  return neutral.has(word) ? 'neutral' : 'variant'
}

/** A base system without its version, anything else unchanged: `alpine`, `amd64`. */
export function platformName(word: string) {
  const letters = toLetters(word)
  return distributions.has(letters) ? letters : word
}

/** One spelling for each stage, so that `1.0b2` and `1.0-beta.2` are equal. */
export function canonicalStage(letters: string) {
  if (letters.startsWith('alpha') || letters === 'a') return 'alpha'
  if (letters.startsWith('beta') || letters === 'b') return 'beta'
  if (letters === 'c' || letters === 'cr') return 'rc'
  return letters === 'm' ? 'milestone' : letters
}

export function toLetters(word: string) {
  return /^[a-z]*/.exec(word)?.[0] ?? ''
}

/**
 * Whether the word is an abbreviated or full commit: hexadecimal, with letters and digits, maybe after the `g` of `git
 * describe`.
 */
export function isCommit(word: string) {
  return /^g?[0-9a-f]{7,64}$/.test(word) && /[a-f]/.test(word) && /\d/.test(word)
}
