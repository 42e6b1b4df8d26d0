import { defaultLimits } from '@parley/documents'
import { type Static, Type } from 'typebox'
import { Access, AccessField } from '../../kernel/access.ts'
import { mebibyte } from '../../kernel/http/app.ts'
import { Choice, Description, identity, Name, Nullable, ReadOnly, Timestamp, timestamps } from '../../kernel/schema.ts'
import { DocumentAccess, DocumentMetadata } from './documents/schema.ts'

const sourceTypes = ['file', 'text', 'web', 'directory'] as const
export type SourceType = (typeof sourceTypes)[number]

const TextDocument = Type.Object(
  {
    title: Type.String({ minLength: 1, maxLength: 500, description: 'The `source` of search results.' }),
    content: Type.String({ description: 'Text or Markdown.' }),
    metadata: Type.Optional(DocumentMetadata),
  },
  { additionalProperties: false },
)
export type TextDocument = Static<typeof TextDocument>

const bytes = (description: string) =>
  Type.Integer({ minimum: 1, maximum: defaultLimits.fileBytes, description, examples: [50 * mebibyte] })
const Url = Type.String({ minLength: 1, maxLength: 2000 })

/** The settings of all types of sources. `checkConfiguration` checks which ones a type has. */
export const Configuration = Type.Object(
  {
    file_types: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 20, pattern: '^\\.?[A-Za-z0-9_+-]+$' }), {
        maxItems: 200,
        description: '`file`, `directory`: the accepted file types, such as `pdf`. Default: all supported types.',
      }),
    ),
    max_file_size: Type.Optional(
      bytes(
        '`file`, `directory`: the maximum size of a file in bytes. Default: 52428800 (50 MiB), at most 536870912 (512 MiB).',
      ),
    ),
    documents: Type.Optional(Type.Array(TextDocument, { maxItems: 100_000, description: '`text`: the documents.' })),
    urls: Type.Optional(
      Type.Array(Url, {
        maxItems: 1000,
        description: '`web`: where the crawl starts. It stays on the same sites.',
      }),
    ),
    sitemap: Type.Optional(Nullable(Type.String({ maxLength: 2000, description: '`web`: the URL of a sitemap.' }))),
    max_pages: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: '`web`: the maximum number of pages. Default: 100.' }),
    ),
    max_depth: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 20,
        description: '`web`: the maximum number of links from a start page. Default: 3.',
      }),
    ),
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description: '`directory`: a folder below one that the operator allows (`DIRECTORY_ROOTS`).',
      }),
    ),
    ocr_languages: Type.Optional(
      Type.Array(Type.String({ pattern: '^[a-z]{3}(_[a-z]+)*$', maxLength: 20 }), {
        maxItems: 4,
        description:
          '`file`, `web` and `directory`: the languages of scans and images, as Tesseract names them, such as `eng` or `deu`. Default: those that are installed. The documents are read again as for `include_hidden`.',
        examples: [['deu']],
      }),
    ),
    include_hidden: Type.Optional(
      Type.Boolean({
        description:
          '`file`, `web` and `directory`: also reads hidden sheets of workbooks. Default: `false`. The next sync reads the documents again; that of a `file` source starts by itself.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type Configuration = Static<typeof Configuration>
/** The documents of a `text` source are rows of their own. Their hash replaces them here. */
type StoredConfiguration = Configuration & { documents_hash?: string }

const RuleValue = Type.Unsafe<string | number | boolean>({ type: ['string', 'number', 'boolean'] })

/** Restricts the matching documents of a source to the given groups and users. */
const Rule = Type.Object(
  {
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'A pattern for the name of the document, its path in a folder or the path of its page: `*` within a folder, `**` across folders.',
      }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Record<string, string | number | boolean | (string | number | boolean)[]>>({
        type: 'object',
        minProperties: 1,
        maxProperties: 20,
        additionalProperties: { anyOf: [RuleValue, { type: 'array', items: RuleValue, minItems: 1, maxItems: 100 }] },
        description: 'The metadata that the document must have: a value, or any value of a list.',
      }),
    ),
    access: Access,
  },
  {
    title: 'AccessRule',
    additionalProperties: false,
    examples: [{ path: 'hr/**', access: { groups: ['hr'], users: [] } }],
  },
)
export type AccessRule = Omit<Static<typeof Rule>, 'access'> & { access: Access }

export const KnowledgeSource = Type.Object(
  {
    ...identity('src'),
    name: Name,
    description: Description,
    type: Choice(sourceTypes, { description: 'Where the documents come from. It cannot be changed.' }),
    configuration: Type.Unsafe<StoredConfiguration>({
      ...Configuration,
      default: {},
      description: 'The place to read from. Which fields apply depends on `type`.',
    }),
    access: AccessField('the source and its documents'),
    access_rules: Type.Unsafe<AccessRule[]>({
      ...Type.Array(Rule, { maxItems: 200 }),
      default: [],
      description:
        'Rules about who may see which documents: the first matching rule decides. It does not apply to documents with an access of their own.',
    }),
    status: ReadOnly(
      Choice(['pending', 'syncing', 'active', 'error'], {
        description: 'Indexed documents stay searchable during `syncing` and after an `error`.',
      }),
    ),
    status_message: ReadOnly(Nullable(Type.String({ description: 'Why the last sync failed.' }))),
    last_sync: ReadOnly(Nullable(Timestamp)),
    ...timestamps,
  },
  { title: 'KnowledgeSource' },
)
export type KnowledgeSource = Static<typeof KnowledgeSource>

/** The size of an index and how far the embedding model is. */
export const IndexState = ReadOnly(
  Nullable(
    Type.Object(
      {
        documents: Type.Integer(),
        chunks: Type.Integer(),
        refined: Type.Integer({ description: 'The number of chunks embedded by the embedding model.' }),
        seconds_left: Nullable(
          Type.Integer({
            description:
              'An estimate of the seconds until all chunks are refined. Null while no refinement is running or its speed is not yet known.',
          }),
        ),
        updated_at: Timestamp,
      },
      {
        title: 'IndexState',
        description: 'Null for callers who may not see every document in it.',
        examples: [{ documents: 12, chunks: 340, refined: 96, seconds_left: 21 }],
      },
    ),
  ),
)
export type IndexState = Static<typeof IndexState>

/** How much of the documents of a source could be read. */
const Coverage = ReadOnly(
  Nullable(
    Type.Object(
      {
        documents: Type.Integer(),
        documents_failed: Type.Integer({ description: 'How many documents could not be read.' }),
        pages: Type.Integer({ description: 'The pages of the documents that have pages.' }),
        pages_without_text: Type.Integer({
          description: 'How many of the pages are empty or could not be read, also not with OCR.',
        }),
      },
      {
        title: 'SourceCoverage',
        description: 'Null for callers who may not see every document.',
        examples: [{ documents: 12, documents_failed: 1, pages: 48, pages_without_text: 3 }],
      },
    ),
  ),
)
export type Coverage = Static<typeof Coverage>

const { access, access_rules, ...shown } = KnowledgeSource.properties
const accessShown = { access: Type.Optional(access), access_rules: Type.Optional(access_rules) }

/** A source as a caller sees it: those who are bound by its access do not see who else may. */
export const KnowledgeSourceView = Type.Object(
  { ...shown, index: IndexState, coverage: Coverage, ...accessShown },
  { title: 'KnowledgeSource' },
)

const { configuration: _, ...listed } = shown
export const KnowledgeSourceListItem = Type.Object(
  { ...listed, access: accessShown.access },
  { title: 'KnowledgeSourceListItem' },
)

export const KnowledgeDocument = Type.Object(
  {
    ...identity('doc'),
    knowledge_source_id: ReadOnly(Type.String()),
    name: Type.String({ description: 'The name of the file, the title of the text or the URL of the page.' }),
    media_type: Nullable(Type.String()),
    size: Type.Integer({ description: 'In bytes.' }),
    sha256: Nullable(Type.String({ description: 'The hash of the content.' })),
    status: Choice(['pending', 'indexed', 'failed']),
    error: Nullable(Type.String({ description: 'Why the document could not be read.' })),
    pages: Nullable(Type.Integer({ description: 'The number of pages, if the format has pages.' })),
    pages_without_text: Nullable(
      Type.Integer({ description: 'How many of the pages are empty or could not be read, also not with OCR.' }),
    ),
    metadata: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'Metadata from the document and from the caller.',
    }),
    parent_id: ReadOnly(
      Nullable(
        Type.String({
          description:
            'The document of the mail that it is attached to. It has the metadata and the access of the mail, and is replaced and deleted with it.',
        }),
      ),
    ),
    access: Type.Optional(AccessField('the document, if they may see its source')),
    ...timestamps,
  },
  {
    title: 'KnowledgeDocument',
    examples: [
      {
        name: 'delivery.pdf',
        media_type: 'application/pdf',
        size: 48213,
        sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        status: 'indexed',
        pages: 4,
        pages_without_text: 0,
      },
    ],
  },
)
export type KnowledgeDocument = Static<typeof KnowledgeDocument>

const count = Type.Integer()
const Reading = Type.Object(
  {
    document_id: Type.String(),
    name: Type.String(),
    unit: Choice(['pages', 'passages']),
    done: count,
    total: count,
  },
  { title: 'ReadingProgress', examples: [{ name: 'handbook.pdf', unit: 'pages', done: 120, total: 231 }] },
)
export type Reading = Static<typeof Reading>

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
    reading: Type.Array(Reading, {
      description: 'The documents that are being read, with how far: first their pages, then their passages.',
    }),
    error: Nullable(Type.String({ description: 'Why the sync failed.' })),
    ...timestamps,
  },
  {
    title: 'KnowledgeSync',
    examples: [
      {
        status: 'completed',
        finished_at: '2026-01-31T12:00:00Z',
        documents: { total: 12, added: 1, updated: 0, removed: 0, unchanged: 11, failed: 0 },
        chunks: { embedded: 28, reused: 312, removed: 0 },
        reading: [],
      },
    ],
  },
)
export type Sync = Static<typeof Sync>

export const UploadBody = Type.Object(
  {
    file: Type.Array(Type.Unsafe<unknown>({ type: 'string', contentMediaType: 'application/octet-stream' }), {
      minItems: 1,
      description: 'One or more files.',
    }),
    metadata: Type.Optional(DocumentMetadata),
    access: Type.Optional(DocumentAccess),
  },
  {
    contentMediaType: 'multipart/form-data',
    examples: [{ file: ['(the file)'], metadata: { year: 2024 }, access: { groups: ['finance'] } }],
  },
)

export const UploadQuery = Type.Object(
  { sync: Type.Boolean({ default: true, description: '`false`: only stores the files. The next sync reads them.' }) },
  { additionalProperties: false },
)

export const BySync = Type.Object({ id: Type.String(), sync: Type.String() })
