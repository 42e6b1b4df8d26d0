import { Type } from 'typebox'
import { identity, Timestamp } from '../../../kernel/schema.ts'
import { shownOfFile } from '../../runs/schema.ts'

export const File = Type.Object(
  {
    ...identity('fil'),
    ...shownOfFile,
    sha256: Type.String({ examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'] }),
    created_at: Timestamp,
  },
  { title: 'UploadedFile' },
)

export const maxAttachments = 10

/** The `attachments` of a message that is sent. */
export const Attachments = Type.Array(
  Type.Object(
    { file_id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the file.' }) },
    { additionalProperties: false },
  ),
  {
    maxItems: maxAttachments,
    description: `Files that were uploaded with \`POST /files\`, at most ${maxAttachments}.`,
    examples: [[{ file_id: 'fil_01k9z8q4m6e3v7t2w5x8y1a4bc' }]],
  },
)

export const UploadBody = Type.Object(
  {
    file: Type.Unsafe<unknown>({
      type: 'string',
      contentMediaType: 'application/octet-stream',
      description: 'The file, with its name.',
    }),
  },
  { title: 'UploadFile', contentMediaType: 'multipart/form-data', examples: [{ file: '(the file)' }] },
)
