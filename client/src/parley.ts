import { conversations } from './conversations.ts'
import { files } from './files.ts'
import {
  createHttp,
  type Http,
  type HttpRequest,
  type ParleyOptions,
  type Person,
  type RequestOptions,
} from './http.ts'
import { type Pagination, pagesOf } from './pages.ts'
import { resource, segment, versions } from './resource.ts'
import { streamOnce } from './stream.ts'
import type { BodyOf, DataOf, QueryOf, RowOf, Schemas } from './types.ts'
import { type UploadFile, type UploadOptions, upload } from './upload.ts'

const fillPath = (path: string, ...ids: string[]): string => path.replace(/\{\w+\}/g, () => segment(ids.shift() ?? ''))

/** An action on a resource. */
const action =
  <P extends string>(http: Http, path: P) =>
  (id: string, body?: BodyOf<P, 'post'>, options?: RequestOptions): Promise<DataOf<P, 'post'>> =>
    http.data('POST', fillPath(path, id), { ...options, ...(body !== undefined && { body }) })

/** An action on a subresource. */
const subresourceAction =
  <P extends string>(http: Http, path: P) =>
  (id: string, child: string, options?: RequestOptions): Promise<DataOf<P, 'post'>> =>
    http.data('POST', fillPath(path, id, child), options)

/** Lists subresources. */
const subresources =
  <P extends string>(http: Http, path: P) =>
  (id: string, query?: QueryOf<P>, options?: RequestOptions) =>
    pagesOf<RowOf<P>>(http, fillPath(path, id), query, options)

/** Reads a subresource. */
const subresource =
  <P extends string>(http: Http, path: P) =>
  (id: string, child: string, options?: RequestOptions): Promise<DataOf<P, 'get'>> =>
    http.data('GET', fillPath(path, id, child), options)

/** Whether a person sees a resource, and why. */
const explained = (http: Http, path: string, { user_id, groups = [] }: Person = {}, options?: RequestOptions) =>
  http.data<Schemas['AccessExplanation']>('GET', path, {
    ...options,
    query: { user_id: user_id || undefined, groups: groups.length > 0 ? groups.join(',') : undefined },
  })

const explanation = (http: Http, path: string) => (id: string, person?: Person, options?: RequestOptions) =>
  explained(http, fillPath(path, id), person, options)

/** Reads a report. */
const report =
  <P extends string>(http: Http, path: P) =>
  (query?: QueryOf<P>, options?: RequestOptions): Promise<DataOf<P, 'get'>> =>
    http.data('GET', path, { ...options, query })

const contentPath = '/knowledge-sources/{id}/documents/{document}/content'
type ContentPath = typeof contentPath
const chunksPath = '/knowledge-sources/{id}/documents/{document}/chunks'
type ChunksPath = typeof chunksPath

const documentAccessPath = '/knowledge-sources/{id}/documents/{document}/access'

/** All resources under the names of the API. A new resource is one line. */
const resources = (http: Http) => ({
  agents: {
    ...resource(http, '/agents'),
    ...versions(http, '/agents'),
    /** Runs the agent with changes that are not saved. */
    try: (id: string, body: BodyOf<'/agents/{id}/try', 'post'>, options?: RequestOptions) =>
      http.data<DataOf<'/agents/{id}/try', 'post'>>('POST', fillPath('/agents/{id}/try', id), { ...options, body }),
    /** Same as `try`, but streams the reply. Aborting the signal stops it. */
    tryStream: (id: string, body: BodyOf<'/agents/{id}/try', 'post'>, options?: RequestOptions) =>
      streamOnce(http, fillPath('/agents/{id}/try', id), body, options),
    access: explanation(http, '/agents/{id}/access'),
  },
  promptTemplates: {
    ...resource(http, '/prompt-templates'),
    ...versions(http, '/prompt-templates'),
    render: action(http, '/prompt-templates/{id}/render'),
  },
  models: {
    ...resource(http, '/models'),
    test: action(http, '/models/{id}/test'),
    /** The models that a provider offers for a key. */
    available: (body: BodyOf<'/models/available', 'post'>, options?: RequestOptions) =>
      http.data<DataOf<'/models/available', 'post'>>('POST', '/models/available', { ...options, body }),
  },
  conversations: conversations(http),
  files: files(http),
  /** The tool calls that wait for a person, and those that were decided about. */
  approvals: { ...resource(http, '/approvals'), decide: action(http, '/approvals/{id}') },
  knowledgeSources: {
    ...resource(http, '/knowledge-sources'),
    access: explanation(http, '/knowledge-sources/{id}/access'),
    sync: action(http, '/knowledge-sources/{id}/sync'),
    syncs: subresources(http, '/knowledge-sources/{id}/syncs'),
    syncRecord: subresource(http, '/knowledge-sources/{id}/syncs/{sync}'),
    documents: subresources(http, '/knowledge-sources/{id}/documents'),
    document: subresource(http, '/knowledge-sources/{id}/documents/{document}'),
    /** The parsed text of a document, or a range of it. */
    documentContent: (id: string, document: string, query?: QueryOf<ContentPath>, options?: RequestOptions) =>
      http.data<DataOf<ContentPath, 'get'>>('GET', fillPath(contentPath, id, document), { ...options, query }),
    /** The chunks of a document, in text order. */
    documentChunks: (id: string, document: string, query?: QueryOf<ChunksPath>, options?: RequestOptions) =>
      pagesOf<RowOf<ChunksPath>>(http, fillPath(chunksPath, id, document), query, options),
    /** The document as it was uploaded. Returns the response with an unread body. */
    documentFile: (id: string, document: string, options?: RequestOptions): Promise<Response> =>
      http.send('GET', fillPath('/knowledge-sources/{id}/documents/{document}/file', id, document), options),
    updateDocument: (
      id: string,
      document: string,
      body: BodyOf<'/knowledge-sources/{id}/documents/{document}', 'put'>,
      options?: RequestOptions,
    ) =>
      http.data<DataOf<'/knowledge-sources/{id}/documents/{document}', 'put'>>(
        'PUT',
        fillPath('/knowledge-sources/{id}/documents/{document}', id, document),
        { ...options, body },
      ),
    documentAccess: (id: string, document: string, person?: Person, options?: RequestOptions) =>
      explained(http, fillPath(documentAccessPath, id, document), person, options),
    /** Reads a document again. */
    syncDocument: subresourceAction(http, '/knowledge-sources/{id}/documents/{document}/sync'),
    deleteDocument: async (id: string, document: string, options?: RequestOptions): Promise<void> => {
      await http.json('DELETE', fillPath('/knowledge-sources/{id}/documents/{document}', id, document), options)
    },
    /** Uploads files to a source of type `file`. `onProgress` reports the progress of each. */
    upload: (id: string, files: Iterable<File | UploadFile>, options?: UploadOptions) =>
      upload(http, fillPath('/knowledge-sources/{id}/documents', id), files, options),
  },
  ragTools: { ...resource(http, '/rag-tools'), query: action(http, '/rag-tools/{id}/query') },
  retrievalTools: { ...resource(http, '/retrieval-tools'), search: action(http, '/retrieval-tools/{id}/search') },
  apiTools: {
    ...resource(http, '/api-tools'),
    test: action(http, '/api-tools/{id}/test'),
    /** The tools of an MCP server, with the changes that wait to be accepted. */
    tools: (id: string, options?: RequestOptions) =>
      http.data<DataOf<'/api-tools/{id}/tools', 'get'>>('GET', fillPath('/api-tools/{id}/tools', id), options),
    refreshTools: action(http, '/api-tools/{id}/tools/refresh'),
    acceptTools: action(http, '/api-tools/{id}/tools/accept'),
    /** Creates tools from the operations of an OpenAPI document. */
    import: (body: BodyOf<'/api-tools/import', 'post'>, options?: RequestOptions) =>
      http.data<DataOf<'/api-tools/import', 'post'>>('POST', '/api-tools/import', { ...options, body }),
  },
  evaluations: {
    ...resource(http, '/evaluations'),
    run: action(http, '/evaluations/{id}/run'),
    runs: subresources(http, '/evaluations/{id}/runs'),
    getRun: subresource(http, '/evaluations/{id}/runs/{run}'),
    cancelRun: subresourceAction(http, '/evaluations/{id}/runs/{run}/cancel'),
    importCases: (
      id: string,
      body: BodyOf<'/evaluations/{id}/test-cases/import', 'post'>,
      query?: { mode?: 'append' | 'replace' },
      options?: RequestOptions,
    ) =>
      http.data<DataOf<'/evaluations/{id}/test-cases/import', 'post'>>(
        'POST',
        fillPath('/evaluations/{id}/test-cases/import', id),
        { ...options, query, body },
      ),
    /** Creates a test case from a message and its reply. */
    caseFromMessage: action(http, '/evaluations/{id}/test-cases/from-message'),
    /** One page of the results with its pagination. */
    resultPage: (id: string, query?: QueryOf<'/evaluations/{id}/results'>, options?: RequestOptions) =>
      http.json<{ data: DataOf<'/evaluations/{id}/results', 'get'>; pagination: Pagination }>(
        'GET',
        fillPath('/evaluations/{id}/results', id),
        { ...options, query },
      ),
    /** All results as a file. Returns the response with an unread body. */
    exportResults: (
      id: string,
      query: { format: 'csv' | 'jsonl'; run_id?: string | undefined; outcome?: string | undefined },
      options?: RequestOptions,
    ): Promise<Response> => http.send('GET', fillPath('/evaluations/{id}/results', id), { ...options, query }),
    results: (id: string, query?: QueryOf<'/evaluations/{id}/results'>, options?: RequestOptions) =>
      http.data<DataOf<'/evaluations/{id}/results', 'get'>>('GET', fillPath('/evaluations/{id}/results', id), {
        ...options,
        query,
      }),
  },
  webhooks: {
    ...resource(http, '/webhooks'),
    test: action(http, '/webhooks/{id}/test'),
    rotateSecret: action(http, '/webhooks/{id}/rotate-secret'),
    deliveries: subresources(http, '/webhooks/{id}/deliveries'),
    redeliver: subresourceAction(http, '/webhooks/{id}/deliveries/{delivery}/redeliver'),
  },
  usage: {
    stats: report(http, '/usage/stats'),
    costs: report(http, '/usage/costs'),
    thresholds: resource(http, '/usage/thresholds'),
  },
  analytics: { conversations: report(http, '/analytics/conversations') },
  tokens: resource(http, '/tokens'),
  audit: { ...resource(http, '/audit'), verify: report(http, '/audit/verify') },
  users: {
    ...resource(http, '/users'),
    /** Starts an export of everything of a person. */
    export: action(http, '/users/{id}/export'),
    /** Starts the erasure of everything of a person. It cannot be undone. */
    erase: action(http, '/users/{id}/erase'),
    /** Exports and erasures, with their receipts. */
    jobs: {
      ...resource(http, '/user-jobs'),
      /** The archive of an export. Returns the response with an unread body. */
      content: (id: string, options?: RequestOptions): Promise<Response> =>
        http.send('GET', fillPath('/user-jobs/{id}/content', id), options),
    },
  },
  workspaces: resource(http, '/workspaces'),
  /** The session of a browser. Create the client with `session: true`. */
  auth: {
    signIn: (body: BodyOf<'/auth/session', 'post'>, options?: RequestOptions) =>
      http.data<Schemas['Session']>('POST', '/auth/session', { ...options, body }),
    session: (options?: RequestOptions) => http.data<Schemas['Session']>('GET', '/auth/session', options),
    /** How people can sign in. Needs no token. */
    methods: (options?: RequestOptions) => http.data<Schemas['SignInMethods']>('GET', '/auth/methods', options),
    /**
     * Ends this session, or with `everywhere` all sessions of its token. After a sign-in at an identity provider, send the
     * browser to `end_session_url` to sign out there, too.
     */
    signOut: (body?: BodyOf<'/auth/logout', 'post'>, options?: RequestOptions) =>
      http.data<Schemas['SignedOut']>('POST', '/auth/logout', { ...options, body: body ?? {} }),
  },
  /** Finds anything by name, and conversations by what was said. */
  search: (query: QueryOf<'/search'> & { q: string }, options?: RequestOptions) =>
    http.data<Schemas['FoundResource'][]>('GET', '/search', { ...options, query }),
  /** The caller: user, role and workspace of the token. */
  me: (options?: RequestOptions) => http.data<Schemas['Me']>('GET', '/me', options),
  status: (options?: RequestOptions) => http.data<Schemas['Status']>('GET', '/status', options),
  /** The health of the server, also if it is unhealthy (503). Needs no token. */
  health: (options?: RequestOptions) =>
    http.json<Schemas['Health']>('GET', '/health', { ...options, expectedStatus: 503 }),
  /** Calls any route below /api and returns the whole JSON response. */
  request: <T>(method: string, path: string, request?: HttpRequest) => http.json<T>(method, path, request),
})

export interface Parley extends ReturnType<typeof resources> {
  /** For editors and above: a client that reads and searches as this person would; null: as the caller. */
  as(person: Person | null): Parley
}

/** The client: `new Parley({ baseUrl, token })`. */
export const Parley = class {
  constructor(options: ParleyOptions = {}) {
    const as = (person: Person | null) => new Parley({ ...options, seenAs: person })
    Object.assign(this, resources(createHttp(options)), { as })
  }
} as unknown as new (
  options?: ParleyOptions,
) => Parley
