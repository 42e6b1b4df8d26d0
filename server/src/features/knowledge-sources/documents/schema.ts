import { type Static, Type } from 'typebox'
import { AccessField } from '../../../kernel/access.ts'
import { Choice, Timestamp } from '../../../kernel/schema.ts'

const Value = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** Values may be numbers, so that filters can compare them. */
export const DocumentMetadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  maxProperties: 100,
  additionalProperties: {
    anyOf: [
      { type: 'string', maxLength: 10_000 },
      { type: ['number', 'boolean', 'null'] },
      { type: 'array', items: Value, maxItems: 1000 },
    ],
  },
  description: 'Metadata of the document that searches can filter by: strings, numbers, booleans or lists of them.',
})

export const DocumentAccess = AccessField('the document, instead of what a rule of the source says')

export const ByDocument = Type.Object({ id: Type.String(), document: Type.String() })

export const DocumentBody = Type.Object(
  { metadata: Type.Optional(DocumentMetadata), access: Type.Optional(DocumentAccess) },
  {
    title: 'UpdateDocument',
    additionalProperties: false,
    minProperties: 1,
    'x-partial': true,
    examples: [{ metadata: { year: 2024, department: 'sales' } }],
  },
)
export type DocumentBody = Static<typeof DocumentBody>

export const FileQuery = Type.Object(
  {
    disposition: Choice(['attachment', 'inline'], {
      default: 'attachment',
      description: '`inline`: a browser shows the file instead of saving it, if it is a PDF.',
    }),
  },
  { additionalProperties: false },
)

const position = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))
export const ContentQuery = Type.Object(
  {
    start: position('The first character. Default: the beginning of the text.'),
    end: position('The character after the last one. Default: the end of the text.'),
  },
  { additionalProperties: false },
)

export const DocumentChunk = Type.Object(
  {
    id: Type.String({ description: 'The `chunk_id` of search results.' }),
    position: Type.Integer({ description: 'The position in the document, starting at 1.' }),
    content: Type.String({ description: 'Exactly the characters `start..end` of the parsed document.' }),
    start: Type.Integer(),
    end: Type.Integer(),
    page: Type.Integer({ description: '1 if the format has no pages.' }),
    headings: Type.Array(Type.String(), {
      description: 'The title of the document and the headings above the passage, outermost first.',
    }),
    created_at: { ...Timestamp, description: 'The time at which the document was created.' },
    updated_at: { ...Timestamp, description: 'The time at which the document last changed.' },
  },
  {
    title: 'DocumentChunk',
    examples: [
      { id: 'idx_01k9z8q4m6e3v7t2w5x8y1a4bc', position: 7, start: 1024, end: 1066, page: 2, headings: ['Orders'] },
    ],
  },
)
export type DocumentChunk = Static<typeof DocumentChunk>

export const DocumentContent = Type.Object(
  {
    document_id: Type.String(),
    name: Type.String(),
    start: Type.Integer(),
    end: Type.Integer(),
    length: Type.Integer({ description: 'The length of the whole text in UTF-16 code units, like `start` and `end`.' }),
    text: Type.String({ description: 'The characters `start..end`.' }),
    pages: Type.Array(Type.Object({ number: Type.Integer(), start: Type.Integer(), end: Type.Integer() }), {
      description: 'The pages in this range; empty if the format has no pages.',
    }),
    headings: Type.Array(Type.Object({ level: Type.Integer(), title: Type.String(), start: Type.Integer() }), {
      description: 'The headings in this range.',
    }),
    warnings: Type.Array(Type.String(), { description: 'Problems found while reading the document.' }),
  },
  {
    title: 'DocumentContent',
    examples: [{ name: 'delivery.pdf', start: 1024, end: 1066, length: 48213, pages: [], headings: [], warnings: [] }],
  },
)
export type DocumentContent = Static<typeof DocumentContent>
