import { open } from 'node:fs/promises'
import { maxImageTokens } from '../../../kernel/llm/input-parts.ts'
import { isImageType } from '../../runs/history.ts'

export interface Image {
  mediaType: string
  width: number
  height: number
}

/** Cameras write a preview and colour profiles before the size of a JPEG. */
const headBytes = 1024 * 1024

const imageTypes: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
}

/** Whether the sender of a file says that it is an image that models can see. */
export const claimsToBeImage = (name: string, mediaType: string | undefined): boolean =>
  Object.hasOwn(imageTypes, name.toLowerCase().split('.').at(-1) ?? '') || isImageType(mediaType?.toLowerCase() ?? '')

/** The image in a file by its first bytes; null if there is none, or none whose size can be read. */
export async function readImage(path: string): Promise<Image | null> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
    const head = buffer.subarray(0, bytesRead)
    const image = pngIn(head) ?? gifIn(head) ?? webpIn(head) ?? jpegIn(head)
    return image && image.width > 0 && image.height > 0 ? image : null
  } catch (error) {
    if (error instanceof RangeError) return null // the file ends before its size
    throw error
  } finally {
    await file.close()
  }
}

const has = (head: Buffer, at: number, text: string): boolean => head.toString('latin1', at, at + text.length) === text

const pngIn = (head: Buffer): Image | null =>
  has(head, 0, '\x89PNG\r\n\x1a\n') && has(head, 12, 'IHDR')
    ? { mediaType: 'image/png', width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
    : null

const gifIn = (head: Buffer): Image | null =>
  has(head, 0, 'GIF87a') || has(head, 0, 'GIF89a')
    ? { mediaType: 'image/gif', width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
    : null

function webpIn(head: Buffer): Image | null {
  if (!has(head, 0, 'RIFF') || !has(head, 8, 'WEBP')) return null
  const mediaType = 'image/webp'
  if (has(head, 12, 'VP8X')) return { mediaType, width: 1 + head.readUIntLE(24, 3), height: 1 + head.readUIntLE(27, 3) }
  if (has(head, 12, 'VP8L')) {
    const bits = head.readUInt32LE(21)
    return { mediaType, width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
  }
  if (!has(head, 12, 'VP8 ')) return null
  return { mediaType, width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff }
}

/** The frame header (SOF) holds the size; the segments before it are skipped. */
function jpegIn(head: Buffer): Image | null {
  if (!has(head, 0, '\xff\xd8\xff')) return null
  for (let at = 2; at + 9 <= head.length; ) {
    if (head[at] !== 0xff) return null
    const marker = head[at + 1] as number
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { mediaType: 'image/jpeg', width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
    const isPadding = marker === 0xff
    at += isPadding ? 1 : 2 + head.readUInt16BE(at + 2)
  }
  return null
}

/** Estimates the tokens of an image from its size, so that it can be counted before a model is called. */
export const tokensOfImage = ({ width, height }: Pick<Image, 'width' | 'height'>): number =>
  Math.min(maxImageTokens, Math.ceil((width * height) / 750))
