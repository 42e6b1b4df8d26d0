import { randomUUID } from 'node:crypto'
import { inputImages } from './input-parts.ts'
import type { ImageData, ModelMessage } from './model.ts'

/** Encodes an image in pieces, so that a large one does not block the event loop. */
export async function encodeImage(content: AsyncIterable<Uint8Array>): Promise<ImageData> {
  const pieces: Buffer[] = []
  const add = (bytes: Buffer) => pieces.push(Buffer.from(bytes.toString('base64'), 'latin1'))
  let rest = Buffer.alloc(0)
  for await (const part of content) {
    const bytes = Buffer.concat([rest, part])
    const whole = bytes.length - (bytes.length % 3) // three bytes are four characters
    add(bytes.subarray(0, whole))
    rest = bytes.subarray(whole)
  }
  add(rest)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return { mark: `parley-image-${randomUUID()}`, pieces, length }
}

export const imageDataIn = (messages: readonly ModelMessage[]): ImageData[] =>
  messages.flatMap((message) => inputImages(message).flatMap(({ data }) => data ?? []))

/** A body with its images in the place of their marks, and its length. */
export function bodyWithImages(text: string, images: readonly ImageData[]) {
  const pieces: Buffer[] = []
  let rest = text
  const placed = images
    .map((image) => ({ image, at: text.indexOf(image.mark) }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at)
  for (const { image } of placed) {
    const at = rest.indexOf(image.mark)
    pieces.push(Buffer.from(rest.slice(0, at)), ...image.pieces)
    rest = rest.slice(at + image.mark.length)
  }
  pieces.push(Buffer.from(rest))
  return { length: pieces.reduce((sum, piece) => sum + piece.length, 0), body: inPieces(pieces) }
}

async function* inPieces(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* pieces
}
