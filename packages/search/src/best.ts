export interface Scored {
  passage: number
  score: number
}

/** Best first; of equals the one that came into the index first. */
export const byScore = (one: Scored, other: Scored): number => other.score - one.score || one.passage - other.passage

/** Keeps the `most` best of what is offered: a heap with the worst of them on top. Only scores above zero count. */
export class Best {
  readonly #most: number
  readonly #passages: Uint32Array
  readonly #scores: Float64Array
  #count = 0
  /** What is not above it is not kept. */
  #floor: number

  constructor(most: number) {
    this.#most = most
    this.#floor = most > 0 ? 0 : Number.POSITIVE_INFINITY
    this.#passages = new Uint32Array(most)
    this.#scores = new Float64Array(most)
  }

  offer(passage: number, score: number): void {
    if (score <= this.#floor) return
    if (this.#count < this.#most) this.#rise(this.#count++, passage, score)
    else this.#sink(passage, score)
    if (this.#count === this.#most) this.#floor = this.#scores[0] as number
  }

  /** What is below it is not among them any more: zero until there are as many as wanted. */
  get least(): number {
    return this.#count === this.#most ? this.#floor : 0
  }

  get highest(): number {
    return this.#scores.subarray(0, this.#count).reduce((most, score) => Math.max(most, score), 0)
  }

  /** In no order. */
  get passages(): Uint32Array {
    return this.#passages.subarray(0, this.#count)
  }

  #rise(from: number, passage: number, score: number): void {
    let at = from
    while (at > 0) {
      const parent = (at - 1) >>> 1
      if ((this.#scores[parent] as number) <= score) break
      this.#move(parent, at)
      at = parent
    }
    this.#put(at, passage, score)
  }

  #sink(passage: number, score: number): void {
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
