import type { ImagePart } from '../../kernel/llm/model.ts'
import type { Attachment } from './schema.ts'

const imageTypes = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']

export const isImageType = (mediaType: string): boolean => imageTypes.includes(mediaType)

export const isImage = ({ media_type }: Attachment): boolean => isImageType(media_type)

export const imagesIn = (attachments: readonly Attachment[]): ImagePart[] =>
  attachments
    .filter(isImage)
    .map(({ file_id, name, media_type }) => ({ type: 'image', file: file_id, name, mediaType: media_type }))

export const documentsIn = (attachments: readonly Attachment[]): Attachment[] =>
  attachments.filter((attachment) => !isImage(attachment))
