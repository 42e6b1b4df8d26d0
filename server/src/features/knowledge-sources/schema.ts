import { type Static, Type } from 'typebox'
import { mebibyte } from '../../kernel/http/app.ts'
import { Choice, Description, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'

const sourceTypes = ['file', 'text', 'web', 'directory'] as const
export type SourceType = (typeof sourceTypes)[number]

const Value = Type.Unsafe<string | number | boolean | null>({ type: ['string', 'number', 'boolean', 'null'] })

/** Labels of a document, for filters: values may be numbers too, so that they can be compared. */
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
  description: 'Labels of the document: text, numbers, truth values or lists of them. Searches can filter by them.',
})

const TextDocument = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 500, description: 'What results name as their source.' }),
    content: Type.String({ description: 'Text or Markdown.' }),
    metadata: Type.Optional(DocumentMetadata),
  },
  { additionalProperties: false },
)
export type TextDocument = Static<typeof TextDocument>

const bytes = (description: string) =>
  Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description, examples: [50 * mebibyte] })
const address = Type.String({ minLength: 1, maxLength: 2000 })

/** One shape for the settings of every type; which of them a type has is checked beside it. */
export const Configuration = Type.Object(
  {
    file_types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 20, pattern: '^\\.?[A-Za-z0-9_+-]+$' }), {
        maxItems: 200,
        description: '`file`, `directory`: the file types that are taken, as in `pdf`. Left out: all that can be read.',
      }),
    ),
    max_file_size: Type.Optional(
      bytes('`file`, `directory`: the largest file that is taken, in bytes. Left out: 52428800 (50 MiB).'),
    ),
    documents: Type.Optional(Type.Array(TextDocument, { maxItems: 100_000, description: '`text`: the documents.' })),
    urls: Type.Optional(
      Type.Array(address, {
        maxItems: 1000,
        description: '`web`: where reading starts. Only the same sites are read.',
      }),
    ),
    sitemap: Type.Optional(Nullable(Type.String({ maxLength: 2000, description: '`web`: the address of a sitemap.' }))),
    max_pages: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: '`web`: how many pages are read. Left out: 100.' }),
    ),
    max_depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: '`web`: how many links away from the first pages. Left out: 3.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description: '`directory`: a folder below one that the operator allows (`DIRECTORY_ROOTS`).',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Configuration = Static<typeof Configuration>

export const KnowledgeSource = Type.Object(
  {
    ...identity('src'),
    name: Name,
    description: Description,
    type: Choice(sourceTypes, { description: 'Where the documents come from. It cannot be changed.' }),
    configuration: Type.Unsafe<Configuration>({ ...Configuration, default: {} }),
    status: ReadOnly(
      Choice(['pending', 'syncing', 'active', 'error'], {
        description: 'What was read last stays searchable while it is `syncing` and after an `error`.',
      }),
    ),
    status_message: ReadOnly(Nullable(Type.String({ description: 'What went wrong, in words.' }))),
    last_sync: ReadOnly(Nullable(Timestamp)),
    ...timestamps,
  },
  { title: 'KnowledgeSource' },
)
export type KnowledgeSource = Static<typeof KnowledgeSource>

const { configuration: _, ...listed } = KnowledgeSource.properties
export const KnowledgeSourceListItem = Type.Object(listed, { title: 'KnowledgeSourceListItem' })

export const KnowledgeDocument = Type.Object(
  {
    ...identity('doc'),
    knowledge_source_id: ReadOnly(Type.String()),
    name: Type.String({ description: 'The name of the file, the title of the text, or the address of the page.' }),
    media_type: Nullable(Type.String()),
    size: Type.Integer({ description: 'In bytes.' }),
    sha256: Nullable(Type.String({ description: 'Of the content.' })),
    status: Choice(['pending', 'indexed', 'failed']),
    error: Nullable(Type.String({ description: 'Why it could not be read, in words.' })),
    pages: Nullable(Type.Integer({ description: 'Where the format has pages.' })),
    metadata: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'What the document says of itself, and what was given with it.',
    }),
    ...timestamps,
  },
  { title: 'KnowledgeDocument' },
)
export type KnowledgeDocument = Static<typeof KnowledgeDocument>

const count = Type.Integer()
export const Sync = Type.Object(
  {
    ...identity('syn'),
    knowledge_source_id: Type.String(),
    status: Choice(['running', 'completed', 'failed']),
    started_at: Timestamp,
    finished_at: Nullable(Timestamp),
    documents: Type.Object({
      total: count,
      added: count,
      updated: count,
      removed: count,
      unchanged: count,
      failed: count,
    }),
    chunks: Type.Object({ embedded: count, reused: count, removed: count }),
    error: Nullable(Type.String({ description: 'Why it failed, in words.' })),
  },
  { title: 'KnowledgeSync' },
)
export type Sync = Static<typeof Sync>

export const UploadBody = Type.Object(
  {
    file: Type.Array(Type.Unsafe<unknown>({ type: 'string', contentMediaType: 'application/octet-stream' }), {
      minItems: 1,
      description: 'One or many files.',
    }),
    metadata: Type.Optional(DocumentMetadata),
  },
  { contentMediaType: 'multipart/form-data', examples: [{ file: ['(the file)'], metadata: { year: 2024 } }] },
)

export const UploadQuery = Type.Object(
  { sync: Type.Boolean({ default: true, description: '`false` only stores; the next sync reads them.' }) },
  { additionalProperties: false },
)

export const ByDocument = Type.Object({ id: Type.String(), document: Type.String() })
export const BySync = Type.Object({ id: Type.String(), sync: Type.String() })

const position = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }))
export const ContentQuery = Type.Object(
  {
    start: position('The first character. Left out: from the beginning.'),
    end: position('The character after the last one. Left out: to the end.'),
  },
  { additionalProperties: false },
)

export const DocumentChunk = Type.Object(
  {
    id: Type.String({ description: 'What search results name as their `chunk_id`.' }),
    position: Type.Integer({ description: 'Its place in the document, from 1.' }),
    content: Type.String({ description: 'Exactly the characters `start..end` of the parsed document.' }),
    start: Type.Integer(),
    end: Type.Integer(),
    page: Type.Integer({ description: '1 where the format has no pages.' }),
    headings: Type.Array(Type.String(), {
      description: 'What it is searched under: the title of the document and the headings above it, outermost first.',
    }),
  },
  { title: 'DocumentChunk' },
)
export type DocumentChunk = Static<typeof DocumentChunk>

export const DocumentContent = Type.Object(
  {
    document_id: Type.String(),
    name: Type.String(),
    start: Type.Integer(),
    end: Type.Integer(),
    length: Type.Integer({ description: 'Of the whole text, in UTF-16 code units, as `start` and `end` count.' }),
    text: Type.String({ description: 'The characters `start..end`.' }),
    pages: Type.Array(Type.Object({ number: Type.Integer(), start: Type.Integer(), end: Type.Integer() }), {
      description: 'The pages that the text touches; empty where the format has none.',
    }),
    headings: Type.Array(Type.Object({ level: Type.Integer(), title: Type.String(), start: Type.Integer() }), {
      description: 'The headings within the text.',
    }),
    warnings: Type.Array(Type.String(), { description: 'What could not be read well.' }),
  },
  { title: 'DocumentContent' },
)
export type DocumentContent = Static<typeof DocumentContent>
