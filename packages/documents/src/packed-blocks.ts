import type { Block, BlockKind } from './document.ts'

/** Blocks as typed arrays. A large document has a million blocks, and cloning them as objects takes seconds. */
export interface PackedBlocks {
  kinds: Uint8Array
  bounds: Int32Array
}

const kinds: BlockKind[] = ['heading', 'paragraph', 'table', 'code', 'list']

export function packBlocks(blocks: Block[]): PackedBlocks {
  const packed = { kinds: new Uint8Array(blocks.length), bounds: new Int32Array(blocks.length * 2) }
  blocks.forEach(({ kind, start, end }, index) => {
    packed.kinds[index] = kinds.indexOf(kind)
    packed.bounds[index * 2] = start
    packed.bounds[index * 2 + 1] = end
  })
  return packed
}

export function unpackBlocks(packed: PackedBlocks): Block[] {
  return Array.from(packed.kinds, (kind, index) => ({
    kind: kinds[kind] ?? 'paragraph',
    start: packed.bounds[index * 2] ?? 0,
    end: packed.bounds[index * 2 + 1] ?? 0,
  }))
}
