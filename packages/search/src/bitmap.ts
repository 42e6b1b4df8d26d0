/** One bit for each passage, in words of 32. */
export type Bitmap = Uint32Array

export const bitmapFor = (passages: number): Bitmap => new Uint32Array((passages + 31) >>> 5)

export const hasBit = (bitmap: Bitmap, at: number): boolean => (((bitmap[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1

export function setBit(bitmap: Bitmap, at: number): void {
  bitmap[at >>> 5] = (bitmap[at >>> 5] as number) | (1 << (at & 31))
}

export function clearBit(bitmap: Bitmap, at: number): void {
  bitmap[at >>> 5] = (bitmap[at >>> 5] as number) & ~(1 << (at & 31))
}

/** Keeps in `bitmap` what `other` has too; where `other` is shorter it has nothing. */
export function intersect(bitmap: Bitmap, other: Bitmap): void {
  const both = Math.min(bitmap.length, other.length)
  for (let at = 0; at < both; at++) bitmap[at] = (bitmap[at] as number) & (other[at] as number)
  bitmap.fill(0, both)
}

export function countBits(bitmap: Bitmap): number {
  let count = 0
  for (let at = 0; at < bitmap.length; at++) {
    const word = bitmap[at] as number
    let bits = word - ((word >>> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}

export function eachBit(bitmap: Bitmap, visit: (at: number) => void): void {
  for (let at = 0; at < bitmap.length; at++) {
    let word = bitmap[at] as number
    while (word !== 0) {
      visit((at << 5) + (31 - Math.clz32(word & -word)))
      word &= word - 1
    }
  }
}
