import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { version as nodeVersion } from 'node:process'
import { addArtifact, type Form, type Release } from './release-folder.ts'
import { targets } from './targets.ts'

/**
 * Adds an in-toto statement for each form: which files it has, made from which sources, by whom. `sign.ts` signs them in CI;
 * without that nobody vouches for them. https://slsa.dev/spec/v1.0/provenance
 */
export function addProvenance(release: Release, env = process.env): void {
  const forms = new Set(release.artifacts.map(({ form }) => form))
  const { version } = release
  for (const form of forms) {
    const data = `${JSON.stringify(statement(release, form, env), undefined, 2)}\n`
    addArtifact(release, { form, file: `relt-${version}-${form}.intoto.json`, data })
  }
}

function statement({ version, artifacts, commit, url }: Release, form: Form, env: NodeJS.ProcessEnv): object {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_WORKFLOW_REF: workflow } = env
  const source = repository ? `git+${server}/${repository}` : undefined
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: artifacts
      .filter((artifact) => artifact.form === form)
      .map(({ file, sha256 }) => ({ name: file, digest: { sha256 } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: workflow ? 'https://actions.github.io/buildtypes/workflow/v1' : 'urn:relt:npm-run-release',
        externalParameters: { version, url, ...(workflow && { workflow }) },
        resolvedDependencies: [
          ...(commit ? [{ uri: source ?? 'git+file:///', digest: { gitCommit: commit } }] : []),
          { name: 'package-lock.json', digest: { sha256: hash('sha256', readFileSync('package-lock.json')) } },
          ...targets.flatMap(({ node, archive }) => [
            ...(node ? [{ uri: `pkg:npm/${node.name}@${node.version}`, digest: toSha512(node.integrity) }] : []),
            ...(archive ? [{ uri: archive.url, digest: { sha256: archive.sha256 } }] : []),
          ]),
        ],
      },
      runDetails: {
        builder: {
          id: workflow ? `${server}/${workflow}` : 'urn:relt:unsigned-local-build',
          version: { node: nodeVersion },
        },
      },
    },
  }
}

const toSha512 = (integrity: string) => ({
  sha512: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex'),
})
