import { conversations } from './conversations.ts'
import { type Ask, createHttp, type Http, type ParleyOptions, type RequestOptions } from './http.ts'
import { type Pagination, pagesOf } from './pages.ts'
import { resource, segment, versions } from './resource.ts'
import type { BodyOf, DataOf, QueryOf, RowOf, Schemas } from './types.ts'
import { type UploadFile, type UploadOptions, upload } from './upload.ts'

const filled = (path: string, ...ids: string[]): string => path.replace(/\{\w+\}/g, () => segment(ids.shift() ?? ''))

/** Does something with one resource: a POST below it. */
const action =
  <P extends string>(http: Http, path: P) =>
  (id: string, body?: BodyOf<P, 'post'>, options?: RequestOptions): Promise<DataOf<P, 'post'>> =>
    http.data('POST', filled(path, id), { ...options, ...(body !== undefined && { body }) })

/** Does something with a part of one resource. */
const actionOnPart =
  <P extends string>(http: Http, path: P) =>
  (id: string, part: string, options?: RequestOptions): Promise<DataOf<P, 'post'>> =>
    http.data('POST', filled(path, id, part), options)

/** Lists the parts of one resource. */
const parts =
  <P extends string>(http: Http, path: P) =>
  (id: string, query?: QueryOf<P>, options?: RequestOptions) =>
    pagesOf<RowOf<P>>(http, filled(path, id), query, options)

/** Reads a part of one resource. */
const part =
  <P extends string>(http: Http, path: P) =>
  (id: string, which: string, options?: RequestOptions): Promise<DataOf<P, 'get'>> =>
    http.data('GET', filled(path, id, which), options)

/** Reads a report. */
const report =
  <P extends string>(http: Http, path: P) =>
  (query?: QueryOf<P>, options?: RequestOptions): Promise<DataOf<P, 'get'>> =>
    http.data('GET', path, { ...options, query })

const contentPath = '/knowledge-sources/{id}/documents/{document}/content'
type ContentPath = typeof contentPath
const chunksPath = '/knowledge-sources/{id}/documents/{document}/chunks'
type ChunksPath = typeof chunksPath

/** Everything the API has, by the names it has there. A new resource is one line. */
const resources = (http: Http) => ({
  agents: { ...resource(http, '/agents'), ...versions(http, '/agents') },
  promptTemplates: {
    ...resource(http, '/prompt-templates'),
    ...versions(http, '/prompt-templates'),
    render: action(http, '/prompt-templates/{id}/render'),
  },
  models: { ...resource(http, '/models'), test: action(http, '/models/{id}/test') },
  conversations: conversations(http),
  knowledgeSources: {
    ...resource(http, '/knowledge-sources'),
    sync: action(http, '/knowledge-sources/{id}/sync'),
    syncs: parts(http, '/knowledge-sources/{id}/syncs'),
    syncRecord: part(http, '/knowledge-sources/{id}/syncs/{sync}'),
    documents: parts(http, '/knowledge-sources/{id}/documents'),
    document: part(http, '/knowledge-sources/{id}/documents/{document}'),
    /** The text of a document as it was read, or the part of it that a citation names. */
    documentContent: (id: string, document: string, query?: QueryOf<ContentPath>, options?: RequestOptions) =>
      http.data<DataOf<ContentPath, 'get'>>('GET', filled(contentPath, id, document), { ...options, query }),
    /** The passages that a document was cut into, in the order of its text. */
    documentChunks: (id: string, document: string, query?: QueryOf<ChunksPath>, options?: RequestOptions) =>
      pagesOf<RowOf<ChunksPath>>(http, filled(chunksPath, id, document), query, options),
    deleteDocument: async (id: string, document: string, options?: RequestOptions): Promise<void> => {
      await http.json('DELETE', filled('/knowledge-sources/{id}/documents/{document}', id, document), options)
    },
    /** Sends files to a source of type `file`; `onProgress` tells how far each of them is. */
    upload: (id: string, files: Iterable<File | UploadFile>, options?: UploadOptions) =>
      upload(http, filled('/knowledge-sources/{id}/documents', id), files, options),
  },
  ragTools: { ...resource(http, '/rag-tools'), query: action(http, '/rag-tools/{id}/query') },
  retrievalTools: { ...resource(http, '/retrieval-tools'), search: action(http, '/retrieval-tools/{id}/search') },
  apiTools: {
    ...resource(http, '/api-tools'),
    test: action(http, '/api-tools/{id}/test'),
    /** Makes tools of the operations of an OpenAPI document. */
    import: (body: BodyOf<'/api-tools/import', 'post'>, options?: RequestOptions) =>
      http.data<DataOf<'/api-tools/import', 'post'>>('POST', '/api-tools/import', { ...options, body }),
  },
  evaluations: {
    ...resource(http, '/evaluations'),
    run: action(http, '/evaluations/{id}/run'),
    runs: parts(http, '/evaluations/{id}/runs'),
    cancelRun: actionOnPart(http, '/evaluations/{id}/runs/{run}/cancel'),
    importCases: (
      id: string,
      body: BodyOf<'/evaluations/{id}/test-cases/import', 'post'>,
      query?: { mode?: 'append' | 'replace' },
      options?: RequestOptions,
    ) =>
      http.data<DataOf<'/evaluations/{id}/test-cases/import', 'post'>>(
        'POST',
        filled('/evaluations/{id}/test-cases/import', id),
        { ...options, query, body },
      ),
    /** Makes a test case of a question in a conversation and the reply to it. */
    caseFromMessage: action(http, '/evaluations/{id}/test-cases/from-message'),
    /** One page of the results, with how many there are. */
    resultPage: (id: string, query?: QueryOf<'/evaluations/{id}/results'>, options?: RequestOptions) =>
      http.json<{ data: DataOf<'/evaluations/{id}/results', 'get'>; pagination: Pagination }>(
        'GET',
        filled('/evaluations/{id}/results', id),
        { ...options, query },
      ),
    /** Every result as a file. The body of the answer has not been read. */
    exportResults: (
      id: string,
      query: { format: 'csv' | 'jsonl'; run_id?: string | undefined; outcome?: string | undefined },
      options?: RequestOptions,
    ): Promise<Response> => http.send('GET', filled('/evaluations/{id}/results', id), { ...options, query }),
    results: (id: string, query?: QueryOf<'/evaluations/{id}/results'>, options?: RequestOptions) =>
      http.data<DataOf<'/evaluations/{id}/results', 'get'>>('GET', filled('/evaluations/{id}/results', id), {
        ...options,
        query,
      }),
  },
  webhooks: {
    ...resource(http, '/webhooks'),
    test: action(http, '/webhooks/{id}/test'),
    rotateSecret: action(http, '/webhooks/{id}/rotate-secret'),
    deliveries: parts(http, '/webhooks/{id}/deliveries'),
    redeliver: actionOnPart(http, '/webhooks/{id}/deliveries/{delivery}/redeliver'),
  },
  usage: {
    stats: report(http, '/usage/stats'),
    costs: report(http, '/usage/costs'),
    thresholds: resource(http, '/usage/thresholds'),
  },
  analytics: { conversations: report(http, '/analytics/conversations') },
  tokens: resource(http, '/tokens'),
  audit: resource(http, '/audit'),
  workspaces: resource(http, '/workspaces'),
  /** Who the token belongs to and what it may do. */
  me: (options?: RequestOptions) => http.data<Schemas['Me']>('GET', '/me', options),
  status: (options?: RequestOptions) => http.data<Schemas['Status']>('GET', '/status', options),
  /** Whether the service can do its work. Needs no token. */
  health: (options?: RequestOptions) => http.json<Schemas['Health']>('GET', '/health', options),
  /** Any route below /api, for what has no method here. Gives the whole JSON answer. */
  request: <T>(method: string, path: string, ask?: Ask) => http.json<T>(method, path, ask),
})

export type Parley = ReturnType<typeof resources>

/** The client: `new Parley({ baseUrl, token })`. */
export const Parley = class {
  constructor(options: ParleyOptions = {}) {
    Object.assign(this, resources(createHttp(options)))
  }
} as unknown as new (
  options?: ParleyOptions,
) => Parley
