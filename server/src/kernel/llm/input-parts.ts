import type { ImageData, ImagePart, InputPart, ModelMessage } from './model.ts'

/** The usual maximum for one image: providers scale larger ones down. */
export const maxImageTokens = 1600

export const inputParts = (message: ModelMessage): InputPart[] => (message.role === 'user' ? (message.parts ?? []) : [])

export const inputImages = (message: ModelMessage): ImagePart[] =>
  inputParts(message).filter((part) => part.type === 'image')

/** The text of all attachments of a message. */
export const partTexts = (message: ModelMessage): string[] =>
  inputParts(message).flatMap((part) => (part.type === 'text' ? [part.text] : []))

/** The tokens of the images in messages. */
export const imageTokens = (messages: readonly ModelMessage[]): number =>
  messages.reduce((sum, message) => sum + inputImages(message).length * maxImageTokens, 0)

/** Bytes of base64 per request. Providers refuse much more. */
const maxImageData = 28 * 1024 * 1024
const maxImages = 20

/**
 * The messages with their images, the newest first if there are many. Others, and those that a model cannot see, are named
 * in a note, so that it does not take the message for one without an image.
 */
export async function withImages(
  messages: ModelMessage[],
  seesImages: boolean,
  load: (part: ImagePart) => Promise<ImageData | null>,
): Promise<ModelMessage[]> {
  if (!messages.some((message) => inputImages(message).length > 0)) return messages
  let count = 0
  let bytes = 0
  const filled: ModelMessage[] = []
  for (const message of messages.toReversed()) {
    const parts: InputPart[] = []
    for (const part of inputParts(message)) {
      const isShown = part.type === 'image' && seesImages && count < maxImages && bytes < maxImageData
      const data = isShown ? await load(part) : null
      const fits = data !== null && (count === 0 || bytes + data.length <= maxImageData)
      if (part.type === 'text') parts.push(part)
      else if (data === null || !fits) parts.push({ type: 'text', text: imageNote(part, seesImages) })
      else {
        parts.push({ ...part, data })
        count++
        bytes += data.length
      }
    }
    filled.unshift(parts.length > 0 && message.role === 'user' ? { ...message, parts } : message)
  }
  return filled
}

const imageNote = ({ name }: ImagePart, seesImages: boolean): string =>
  seesImages
    ? `[The image ${name} is not shown again.]`
    : `[The user attached the image ${name}. You cannot see images.]`
