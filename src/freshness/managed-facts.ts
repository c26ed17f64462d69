/** Facts about images of managed offerings and Kubernetes distributions. */
export interface ManagedFacts {
  /** Offerings by id, such as `aks`. */
  offerings: ReadonlyMap<string, Offering>
  /** `repository` is fully qualified; undefined if no vendor of an offering publishes it. */
  find(repository: string): ManagedRepository | undefined
}

interface Offering {
  /** Whether the offering runs its own components in this namespace. */
  hasNamespace: (namespace: string) => boolean
  /** Whether only the offering installs this chart. */
  hasChart: (name: string) => boolean
  /** Advice about its upgrades, as a clause. */
  advice: string | undefined
}

export interface ManagedRepository {
  /** The vendor that built or copied it: `Microsoft`; undefined for an image that the project itself publishes. */
  vendor: string | undefined
  /** Built for anyone; some of its tags do not contain the project's version. */
  isRebuild: boolean
  /** The project of the image. */
  slug: string | undefined
  /** The name of the copied image, if the data does not list its project. */
  name: string | undefined
  /** Ids of the offerings that run it; the first one publishes it. */
  offerings: readonly string[]
  /** A component of the vendor itself. */
  isOwn: boolean
  /** Only these offerings run it, in any namespace. */
  isExclusive: boolean
  /** Its tags contain the project's version. */
  hasVersions: boolean
  /** Tags with a lower first number belong to another line than the project's. */
  versionsFrom: number
  /** `1.2.3.4` is a rebuild of 1.2.3. */
  isFourthNumberRebuild: boolean
  /** A tag with one of these words is built from the vendor's own branch of the project. */
  forks: readonly string[]
}
