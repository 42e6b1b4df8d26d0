export type Space = ReturnType<typeof createSpace>

/** Hands out the memory from the beginning on. */
export function createSpace(memory: WebAssembly.Memory) {
  let next = 64
  const bytes = (size: number) => {
    const address = next
    next += 64 * Math.ceil(size / 64)
    const missing = next - memory.buffer.byteLength
    if (missing > 0) memory.grow(Math.ceil(missing / 65536))
    return address
  }
  const float32 = (address: number, length: number) => new Float32Array(memory.buffer, address, length)
  const floats = (length: number) => bytes(4 * length)
  return {
    bytes,
    floats,
    float32,
    int8: (address: number, length: number) => new Int8Array(memory.buffer, address, length),
    keep(values: Float32Array): number {
      const address = floats(values.length)
      float32(address, values.length).set(values)
      return address
    },
  }
}
