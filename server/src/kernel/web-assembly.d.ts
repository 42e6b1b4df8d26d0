/** The parts in use. The DOM types, which declare them, are not loaded for the server. */
declare namespace WebAssembly {
  class Memory {
    constructor(size: { initial: number; maximum?: number })
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    constructor(module: Module, imports: Record<string, { memory: Memory }>)
    readonly exports: unknown
  }
}
