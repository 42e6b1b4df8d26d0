/**
 * Items that wait, grouped by key. Keys take turns; items of one key come out in the order in which they came in. A key may
 * name an owner and, after a slash, a member: owners take turns, and so do the members of each owner.
 */
export class FairQueue<T> {
  readonly #byOwner = new Map<string, Map<string, T[]>>()
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
    const [owner, member] = ownerAndMember(key)
    const members = this.#byOwner.get(owner) ?? new Map<string, T[]>()
    const items = members.get(member) ?? []
    if (items.length >= this.#maxPerKey) return false
    items.push(item)
    members.set(member, items)
    this.#byOwner.set(owner, members)
    this.#size++
    return true
  }

  /** Takes the next item of a key that is ready. Its owner and its member go behind all others that wait. */
  shift(isReady: (key: string) => boolean = () => true): T | undefined {
    for (const [owner, members] of this.#byOwner) {
      for (const [member, items] of members) {
        if (!isReady(joinKey(owner, member))) continue
        const item = items.shift()
        members.delete(member)
        if (items.length > 0) members.set(member, items)
        this.#byOwner.delete(owner)
        if (members.size > 0) this.#byOwner.set(owner, members)
        this.#size--
        return item
      }
    }
    return undefined
  }

  /** Returns false if the item does not wait. */
  remove(key: string, item: T): boolean {
    const [owner, member] = ownerAndMember(key)
    const members = this.#byOwner.get(owner)
    const items = members?.get(member) ?? []
    const place = items.indexOf(item)
    if (place === -1) return false
    items.splice(place, 1)
    if (items.length === 0) members?.delete(member)
    if (members?.size === 0) this.#byOwner.delete(owner)
    this.#size--
    return true
  }

  /** Takes all items. */
  clear(): T[] {
    const items = [...this.#byOwner.values()].flatMap((members) => [...members.values()].flat())
    this.#byOwner.clear()
    this.#size = 0
    return items
  }
}

function ownerAndMember(key: string): [owner: string, member: string] {
  const slash = key.indexOf('/')
  return slash === -1 ? [key, ''] : [key.slice(0, slash), key.slice(slash + 1)]
}

const joinKey = (owner: string, member: string): string => (member === '' ? owner : `${owner}/${member}`)
