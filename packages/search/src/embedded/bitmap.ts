/** One bit for each passage. */
export type Bitmap = Uint32Array

export const bitmapFor = (passages: number): Bitmap => new Uint32Array((passages + 31) >>> 5)

export function allSet(passages: number): Bitmap {
  const bitmap = bitmapFor(passages).fill(0xffffffff)
  for (let at = passages; at < bitmap.length * 32; at++) clearBit(bitmap, at)
  return bitmap
}

export const hasBit = (bitmap: Bitmap, at: number): boolean => (((bitmap[at >>> 5] ?? 0) >>> (at & 31)) & 1) === 1

export function setBit(bitmap: Bitmap, at: number): void {
  bitmap[at >>> 5] = (bitmap[at >>> 5] as number) | (1 << (at & 31))
}

export function clearBit(bitmap: Bitmap, at: number): void {
  bitmap[at >>> 5] = (bitmap[at >>> 5] as number) & ~(1 << (at & 31))
}

/** Clears the bits that `other` does not have. A shorter `other` has no bits beyond its end. */
export function intersect(bitmap: Bitmap, other: Bitmap): void {
  const both = Math.min(bitmap.length, other.length)
  for (let at = 0; at < both; at++) bitmap[at] = (bitmap[at] as number) & (other[at] as number)
  bitmap.fill(0, both)
}

export function countBits(bitmap: Bitmap): number {
  let count = 0
  for (let at = 0; at < bitmap.length; at++) count += bitCount(bitmap[at] as number)
  return count
}

export function bitCount(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The positions of the bits that are set. */
export function positions(bitmap: Bitmap): Uint32Array {
  const found = new Uint32Array(countBits(bitmap))
  let next = 0
  for (let at = 0; at < bitmap.length; at++) {
    for (let word = bitmap[at] as number; word !== 0; word &= word - 1) {
      found[next++] = (at << 5) + (31 - Math.clz32(word & -word))
    }
  }
  return found
}
