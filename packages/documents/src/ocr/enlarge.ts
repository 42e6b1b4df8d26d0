/** The part of tesseract.js-core that decodes pictures. */
export interface PictureCore {
  Pix: unknown
  _malloc(size: number): number
  _free(pointer: number): void
  setValue(pointer: number, value: number, type: 'i32'): void
  getValue(pointer: number, type: 'i32'): number
  wrapPointer(pointer: number, type: unknown): Pix
  getPointer(object: unknown): number
  /** Returns 0 if the picture cannot be decoded. */
  _pixReadMem(bytes: number, size: number): number
  /** Takes a pointer to the pointer. */
  _pixDestroy(pointer: number): void
}

interface Pix {
  get_w(): number
  get_h(): number
  /** Bits of a pixel. */
  get_d(): number
  /** 32-bit words of a row. */
  get_wpl(): number
  get_data(): number
  get_colormap(): Colormap
}

interface Colormap {
  get_n(): number
  /** A pointer to colors of four bytes: blue, green, red and opacity. */
  get_array(): unknown
}

/** Copies a picture to the memory of the core, with `count` words for results behind it. */
export function withMemory<T>(
  core: PictureCore,
  picture: Uint8Array,
  count: number,
  use: (picture: number, results: number[]) => T,
): T {
  const padded = Buffer.alloc(Math.ceil(picture.length / 4) * 4)
  padded.set(picture)
  const memory = core._malloc(padded.length + 4 * count)
  if (memory === 0) throw new RangeError('out of memory')
  try {
    for (let at = 0; at < padded.length; at += 4) core.setValue(memory + at, padded.readInt32LE(at), 'i32')
    return use(
      memory,
      Array.from({ length: count }, (_, index) => memory + padded.length + 4 * index),
    )
  } finally {
    core._free(memory)
  }
}

/** A picture in shades of grey at twice its size, as a PNM file. */
export const enlarge = (core: PictureCore, picture: Uint8Array): Uint8Array | undefined =>
  withMemory(core, picture, 1, (memory, [result = 0]) => {
    const pointer = core._pixReadMem(memory, picture.length)
    if (pointer === 0) return undefined
    try {
      const pix = core.wrapPointer(pointer, core.Pix)
      const [width, height] = [pix.get_w(), pix.get_h()]
      const grey = readGrey(core, pix)
      return grey && Buffer.concat([Buffer.from(`P5 ${2 * width} ${2 * height} 255\n`), doubled(grey, width, height)])
    } finally {
      core.setValue(result, pointer, 'i32')
      core._pixDestroy(result)
    }
  })

/** The first pixel of a word is in its highest bits. */
function readGrey(core: PictureCore, pix: Pix): Uint8Array | undefined {
  const [width, height, depth, rowWords, data] = [pix.get_w(), pix.get_h(), pix.get_d(), pix.get_wpl(), pix.get_data()]
  const shade = paletteShade(core, pix) ?? shades[depth]
  if (!shade) return undefined
  const grey = new Uint8Array(width * height)
  const pixelsPerWord = 32 / depth
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column += pixelsPerWord) {
      const word = core.getValue(data + 4 * (row * rowWords + column / pixelsPerWord), 'i32')
      const count = Math.min(pixelsPerWord, width - column)
      for (let at = 0; at < count; at++) grey[row * width + column + at] = shade(word, at)
    }
  }
  return grey
}

/** Undefined for a picture without a palette. */
function paletteShade(core: PictureCore, pix: Pix): ((word: number, pixel: number) => number) | undefined {
  const colormap = pix.get_colormap()
  if (core.getPointer(colormap) === 0) return undefined
  const array = colormap.get_array()
  const colors = typeof array === 'number' ? array : core.getPointer(array)
  const palette = Array.from({ length: colormap.get_n() }, (_, at) =>
    toGrey(core.getValue(colors + 4 * at, 'i32') << 8),
  )
  const depth = pix.get_d()
  return (word, at) => palette[(word >>> (32 - depth * (at + 1))) & (2 ** depth - 1)] ?? 255
}

/** The brightness of a color that has red in its highest bits. */
const toGrey = (color: number): number =>
  ((color >>> 24) * 77 + ((color >>> 16) & 255) * 150 + ((color >>> 8) & 255) * 29) >> 8

/** By the bits of a pixel. With one bit, 1 is black. */
const shades: Record<number, (word: number, pixel: number) => number> = {
  1: (word, pixel) => ((word >>> (31 - pixel)) & 1 ? 0 : 255),
  8: (word, pixel) => (word >>> (24 - 8 * pixel)) & 255,
  32: toGrey,
}

/** Bilinear: each new pixel is nearest to one old pixel, and takes a quarter from the next in each direction. */
function doubled(grey: Uint8Array, width: number, height: number): Uint8Array {
  const large = new Uint8Array(4 * width * height)
  for (let y = 0; y < 2 * height; y++) {
    const [row, otherRow] = neighbours(y, height)
    for (let x = 0; x < 2 * width; x++) {
      const [column, otherColumn] = neighbours(x, width)
      const near = 3 * (grey[row * width + column] ?? 0) + (grey[row * width + otherColumn] ?? 0)
      const far = 3 * (grey[otherRow * width + column] ?? 0) + (grey[otherRow * width + otherColumn] ?? 0)
      large[y * 2 * width + x] = (3 * near + far) >> 4
    }
  }
  return large
}

function neighbours(at: number, size: number): [nearest: number, next: number] {
  const nearest = at >> 1
  return [nearest, Math.max(0, Math.min(size - 1, nearest + (at % 2 === 0 ? -1 : 1)))]
}
