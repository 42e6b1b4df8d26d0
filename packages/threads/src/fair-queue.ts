/** Items that wait, grouped by key. Keys take turns; items of one key come out in the order in which they came in. */
export class FairQueue<T> {
  readonly #byKey = new Map<string, T[]>()
  readonly #maxPerKey: number
  #size = 0

  constructor(maxPerKey = Number.POSITIVE_INFINITY) {
    this.#maxPerKey = maxPerKey
  }

  get size(): number {
    return this.#size
  }

  /** Returns false if the key has its maximum of items already. */
  push(key: string, item: T): boolean {
    const items = this.#byKey.get(key) ?? []
    if (items.length >= this.#maxPerKey) return false
    items.push(item)
    this.#byKey.set(key, items)
    this.#size++
    return true
  }

  /** Takes the next item. Its key goes behind all other keys that wait. */
  shift(): T | undefined {
    const [next] = this.#byKey
    if (!next) return undefined
    const [key, items] = next
    this.#byKey.delete(key)
    if (items.length > 1) this.#byKey.set(key, items)
    this.#size--
    return items.shift()
  }

  /** Returns false if the item does not wait. */
  remove(key: string, item: T): boolean {
    const items = this.#byKey.get(key) ?? []
    const index = items.indexOf(item)
    if (index === -1) return false
    items.splice(index, 1)
    if (items.length === 0) this.#byKey.delete(key)
    this.#size--
    return true
  }

  /** Takes all items. */
  clear(): T[] {
    const items = [...this.#byKey.values()].flat()
    this.#byKey.clear()
    this.#size = 0
    return items
  }
}
