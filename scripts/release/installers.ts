import { readFileSync } from 'node:fs'
import { stringify } from 'yaml'
import { type Artifact, addArtifact, type Release } from './release-folder.ts'
import type { TargetName } from './targets.ts'

/** Adds files by which others fetch the archives of this release: each names them by checksum. */
export function addInstallers(release: Release): void {
  const archives = release.artifacts.filter(({ form, file }) => form === 'archive' && file.endsWith('.tar.gz'))
  const add = (file: string, data: string) => addArtifact(release, { form: 'installer', file, data })
  add('install.sh', installScript(release, archives))
  add('relt.rb', formula(release, archives))
  add('krew.yaml', krewManifest(release, archives))
}

function installScript({ version, url }: Release, archives: Artifact[]): string {
  const sums = archives.map(({ sha256, file }) => `${sha256}  ${file}`).join('\n')
  return readFileSync(new URL('installers/install.sh', import.meta.url), 'utf8')
    .replaceAll('@VERSION@', version)
    .replaceAll('@URL@', url)
    .replace('@SUMS@', sums)
}

/** A formula of Homebrew, for a tap. https://docs.brew.sh/Formula-Cookbook */
function formula({ version, url }: Release, archives: Artifact[]): string {
  const block = (system: string, names: Partial<Record<TargetName, string>>): string[] => {
    const found = archives.filter(({ target }) => names[target!])
    if (found.length === 0) return []
    const lines = found.flatMap(({ target, file, sha256 }) => [
      ...[`    on_${names[target!]} do`, `      url "${url}/${file}"`, `      sha256 "${sha256}"`, '    end'],
    ])
    return [`  on_${system} do`, ...lines, '  end']
  }
  return [
    'class Relt < Formula',
    '  desc "What changed in your Kubernetes clusters, and what is out of date"',
    `  homepage "${url}"`,
    `  version "${version}"`,
    '  license "MIT"',
    ...block('macos', { 'darwin-arm64': 'arm', 'darwin-x64': 'intel' }),
    ...block('linux', { 'linux-arm64': 'arm', 'linux-x64': 'intel' }),
    '',
    '  def install',
    '    bin.install "relt"',
    '    man1.install Dir["man/*.1"]',
    '    bash_completion.install "completion/relt.bash" => "relt"',
    '    zsh_completion.install "completion/_relt"',
    '    fish_completion.install "completion/relt.fish"',
    '  end',
    '',
    '  test do',
    '    assert_match version.to_s, shell_output("#{bin}/relt --version")',
    '  end',
    'end',
    '',
  ].join('\n')
}

const systems = { linux: 'linux', darwin: 'darwin', win: 'windows' } as const

/** The plug-in `kubectl relt`. https://krew.sigs.k8s.io/docs/developer-guide/plugin-manifest/ */
function krewManifest({ version, url }: Release, archives: Artifact[]): string {
  const platforms = archives
    .filter(({ target }) => !target!.endsWith('-musl'))
    .map(({ target, file, sha256 }) => {
      const [system, arch] = target!.split('-') as [keyof typeof systems, string]
      const program = system === 'win' ? 'relt.exe' : 'relt'
      const root = file.replace(/\.tar\.gz$/, '')
      return {
        selector: { matchLabels: { os: systems[system], arch: arch === 'x64' ? 'amd64' : arch } },
        ...{ uri: `${url}/${file}`, sha256, bin: program },
        files: [program, 'LICENSE'].map((name) => ({ from: `${root}/${name}`, to: '.' })),
      }
    })
  return stringify({
    apiVersion: 'krew.googlecontainertools.github.com/v1alpha2',
    kind: 'Plugin',
    metadata: { name: 'relt' },
    spec: {
      version: `v${version}`,
      homepage: url,
      shortDescription: 'Compare scans and list what is out of date',
      description: 'Stores the reports of Kubernetes scanners, compares them, and lists what is out of date.',
      platforms,
    },
  })
}
