/** Keeps the passages with the highest scores above zero: a heap with the lowest of them at the root. */
export class TopPassages {
  readonly #limit: number
  readonly #passages: Uint32Array
  readonly #scores: Float64Array
  #count = 0
  #floor: number

  constructor(limit: number) {
    this.#limit = limit
    this.#floor = limit > 0 ? 0 : Number.POSITIVE_INFINITY
    this.#passages = new Uint32Array(limit)
    this.#scores = new Float64Array(limit)
  }

  /** Passages with this score or less are not kept. */
  get floor(): number {
    return this.#floor
  }

  /** In no particular order. */
  get passages(): Uint32Array {
    return this.#passages.subarray(0, this.#count)
  }

  offer(passage: number, score: number): void {
    if (!(score > this.#floor)) return
    if (this.#count < this.#limit) this.#siftUp(this.#count++, passage, score)
    else this.#replaceRoot(passage, score)
    if (this.#count === this.#limit) this.#floor = this.#scores[0] as number
  }

  #siftUp(from: number, passage: number, score: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if ((this.#scores[parent] as number) <= score) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, passage, score)
  }

  #replaceRoot(passage: number, score: number): void {
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= this.#count) break
      if (child + 1 < this.#count && (this.#scores[child + 1] as number) < (this.#scores[child] as number)) child++
      if ((this.#scores[child] as number) >= score) break
      this.#move(child, at)
      at = child
    }
    this.#put(at, passage, score)
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#passages[from] as number, this.#scores[from] as number)
  }

  #put(at: number, passage: number, score: number): void {
    this.#passages[at] = passage
    this.#scores[at] = score
  }
}
