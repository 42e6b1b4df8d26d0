/** The parameters k1 and b of BM25. */
export const saturation = 1.2
export const lengthShare = 0.75

/** The BM25 weight of a term that occurs `count` times in a passage, without the inverse document frequency. */
export const bm25Weight = (count: number, length: number, averageLength: number): number =>
  ((saturation + 1) * count) /
  (count + saturation * (1 - lengthShare + (lengthShare * length) / Math.max(1, averageLength)))

/** The weight of a term that `frequency` of all passages contain. */
export const rarity = (frequency: number, passages: number): number =>
  Math.log(1 + Math.max(0, passages - frequency + 0.5) / (frequency + 0.5))
