/** States of the whole agent that need attention, such as a full disk. Health and status show them. */
export class Problems {
  readonly #problems = new Map<string, string>()

  /** Undefined ends it. */
  set(name: string, problem: string | undefined): void {
    if (problem === undefined) this.#problems.delete(name)
    else this.#problems.set(name, problem)
  }

  find(name: string): string | undefined {
    return this.#problems.get(name)
  }

  list(): string[] {
    return [...this.#problems.values()]
  }
}
