type TypedArray = Uint8Array | Uint16Array | Uint32Array | Float32Array

/** The same array, or a copy of at least twice the size if it is too short. */
export function grow<T extends TypedArray>(array: T, length: number): T {
  if (length <= array.length) return array
  const larger = new (array.constructor as new (length: number) => T)(Math.max(length, array.length * 2))
  larger.set(array)
  return larger
}
