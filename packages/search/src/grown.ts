type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array

/** The same array, or a copy with room for at least `length` numbers. Doubling keeps the copying rare. */
export function grown<T extends Numbers>(array: T, length: number): T {
  if (length <= array.length) return array
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2))
  larger.set(array)
  return larger
}
