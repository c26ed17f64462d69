/** Parsed name of a node's component. */
interface NodeSystem {
  /** A slug of the catalog, or of `data/node-systems.json`. */
  slug: string
  title: string
  /** Version in its common form; null if the node does not state it. */
  version: string | null
  /** Numbers of its release cycle; undefined, with the reason, if not stated. */
  segments?: readonly string[]
  unknown?: string
}

type Read = Pick<NodeSystem, 'version' | 'segments' | 'unknown'> & { slug?: string }

interface Form {
  slug: string
  title: string
  pattern: RegExp
  read?: (groups: string[]) => Read
}

const numbered = ([version = '']: string[]): Read => ({ version, segments: version.split('.') })
const unnamed = (unknown: string) => (): Read => ({ version: null, unknown })

/** Forms of `nodeInfo.osImage`, which is the distribution's PRETTY_NAME. */
const systems: Form[] = [
  { slug: 'ubuntu', title: 'Ubuntu', pattern: /^Ubuntu (?:Core )?(\d+\.\d+)(?:\.\d+)?(?: LTS)?\b/ },
  { slug: 'debian', title: 'Debian', pattern: /^Debian GNU\/Linux (\d+)\b/ },
  {
    slug: 'bottlerocket-aws',
    title: 'Bottlerocket',
    pattern: /^Bottlerocket OS (\d+\.\d+\.\d+)(?: \(([a-z]+)-k8s-(\d+\.\d+)[^)]*\))?/,
    read: ([version = '', platform, minor = '']) => {
      const variant = minor === '' ? undefined : minor.split('.')
      // Other platforms follow Kubernetes itself.
      if (platform === 'aws') return { version, segments: variant! }
      return variant ? { version, segments: variant, slug: 'kubernetes' } : { version, unknown: 'no variant is stated' }
    },
  },
  {
    slug: 'flatcar',
    title: 'Flatcar',
    pattern: /^Flatcar Container Linux by Kinvolk (\d+\.\d+\.\d+)/,
    read: numbered,
  },
  { slug: 'talos', title: 'Talos', pattern: /^Talos \(v(\d+\.\d+\.\d+)\)/ },
  { slug: 'amazon-linux', title: 'Amazon Linux', pattern: /^Amazon Linux (\d+)\b/ },
  {
    slug: 'cos',
    title: 'Container-Optimized OS',
    pattern: /^Container-Optimized OS from Google(?:.*?\b(?:cos-|milestone |m)(\d+))?/i,
    read: ([milestone]) =>
      milestone === undefined
        ? { version: null, unknown: 'the node does not state its milestone' }
        : { version: milestone, segments: [milestone] },
  },
  { slug: 'azure-linux', title: 'Azure Linux', pattern: /^(?:Microsoft )?Azure Linux (\d+(?:\.\d+)?)/ },
  // 2.0 was the last release under this name.
  {
    slug: 'azure-linux',
    title: 'CBL-Mariner',
    pattern: /^CBL-Mariner/,
    read: () => ({ version: null, segments: ['2'] }),
  },
  {
    slug: 'openshift',
    title: 'Red Hat CoreOS',
    pattern: /^Red Hat Enterprise Linux CoreOS (\d+)\.(\S+)/,
    // 418.94.… is OpenShift 4.18. Later ones have the version of RHEL: 9.6.…
    read: ([first = '', rest]) =>
      /^4\d{1,2}$/.test(first)
        ? { version: `${first}.${rest}`, segments: ['4', first.slice(1)] }
        : { version: `${first}.${rest}`, unknown: 'the node does not state its release of OpenShift' },
  },
  { slug: 'rhel', title: 'Red Hat Enterprise Linux', pattern: /^Red Hat Enterprise Linux(?: Server)? (\d+(?:\.\d+)?)/ },
  { slug: 'rocky-linux', title: 'Rocky Linux', pattern: /^Rocky Linux (\d+(?:\.\d+)?)/ },
  { slug: 'almalinux', title: 'AlmaLinux', pattern: /^AlmaLinux (\d+(?:\.\d+)?)/ },
  { slug: 'oracle-linux', title: 'Oracle Linux', pattern: /^Oracle Linux(?: Server)? (\d+(?:\.\d+)?)/ },
  { slug: 'centos', title: 'CentOS', pattern: /^CentOS Linux (\d+)\b/ },
  {
    slug: 'sles',
    title: 'SUSE Linux Enterprise Server',
    pattern: /^SUSE Linux Enterprise Server (\d+)(?: SP(\d+)|\.(\d+))?/,
    read: ([major = '', pack, minor]) => numbered([`${major}.${pack ?? minor ?? 0}`]),
  },
  { slug: 'opensuse', title: 'openSUSE Leap', pattern: /^openSUSE Leap (\d+\.\d+)/ },
  { slug: 'fedora', title: 'Fedora CoreOS', pattern: /^Fedora CoreOS (\d+)\./ },
  { slug: 'fedora', title: 'Fedora Linux', pattern: /^Fedora Linux (\d+)\b/ },
  { slug: 'alpine', title: 'Alpine Linux', pattern: /^Alpine Linux v?(\d+\.\d+)/ },
  { slug: 'windows-server', title: 'Windows Server', pattern: /^Windows Server (20\d\d)\b/ },
  // A container of K3s, as created by k3d, is not an operating system.
  { slug: 'k3s', title: 'K3s', pattern: /^K3s (?:dev|v)/, read: unnamed('the node is a container of K3s') },
]

/** Forms of `nodeInfo.containerRuntimeVersion`: `containerd://1.7.22-k3s1`. */
const runtimes: Form[] = [
  { slug: 'containerd', title: 'containerd', pattern: /^containerd:\/\/v?(\d+\.\d+\.\d+)/ },
  {
    slug: 'cri-o',
    title: 'CRI-O',
    pattern: /^cri-o:\/\/v?(\d+\.\d+\.\d+)(?:.*?\.rhaos(\d+\.\d+))?/,
    // CRI-O follows the minor versions of Kubernetes; OpenShift's builds follow OpenShift.
    read: ([version = '', openshift]) =>
      openshift === undefined
        ? { version, segments: version.split('.'), slug: 'kubernetes' }
        : { version, segments: openshift.split('.'), slug: 'openshift' },
  },
  { slug: 'docker-engine', title: 'Docker Engine', pattern: /^docker:\/\/v?(\d+\.\d+\.\d+)/ },
]

export interface ReadSystem extends NodeSystem {
  /** Slug of the product whose support end applies, if not its own. */
  follows?: string
}

export const readOsImage = (text: string): ReadSystem | undefined => read(systems, text)
export const readRuntime = (text: string): ReadSystem | undefined => read(runtimes, text)

export const isRedHatCoreOs = (osImage: string) => readOsImage(osImage)?.slug === 'openshift'

/** Undefined for an unknown form. */
function read(forms: Form[], text: string): ReadSystem | undefined {
  for (const { slug, title, pattern, read = numbered } of forms) {
    const match = pattern.exec(text.trim())
    if (!match) continue
    const { slug: follows, ...found } = read(match.slice(1))
    return { slug, title, ...found, ...(follows !== undefined && { follows }) }
  }
  return undefined
}

/** Slugs whose support ends these nodes need. */
export function systemSlugs(nodes: readonly { os: string | null; runtime: string | null }[]) {
  const read = nodes.flatMap(({ os, runtime }) => [os && readOsImage(os), runtime && readRuntime(runtime)])
  return [...new Set(read.flatMap((one) => (one ? [one.slug, one.follows ?? one.slug] : [])))]
}
