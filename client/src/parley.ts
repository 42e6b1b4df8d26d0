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
import * as methods from './methods.ts'
import type { Pagination } from './pages.ts'
import { segment } from './segment.ts'
import { streamOnce } from './stream.ts'
import type { RequestBody, RequestQuery, ResponseData, Schemas } from './types.ts'
import { type UploadFile, type UploadOptions, upload } from './upload.ts'

/** Whether a person sees a resource, and why. */
const explained = (http: Http, path: string, { user_id, groups = [] }: Person = {}, options?: RequestOptions) =>
  http.data<Schemas['AccessExplanation']>('GET', path, {
    ...options,
    query: { user_id: user_id || undefined, groups: groups.length > 0 ? groups.join(',') : undefined },
  })

const documentPath = (id: string, document: string) =>
  `/knowledge-sources/${segment(id)}/documents/${segment(document)}`

const resultsPath = (id: string) => `/evaluations/${segment(id)}/results`

/** All resources under the names of the API. Methods that are one request each are generated (`methods.ts`). */
const resources = (http: Http) => ({
  /** A prompt, a model and tools, with versions. */
  agents: {
    ...methods.agents(http),
    /** Same as `try`, but streams the reply. Aborting the signal stops it. */
    tryStream: (id: string, body: RequestBody<'/agents/{id}/try', 'post'>, options?: RequestOptions) =>
      streamOnce(http, `/agents/${segment(id)}/try`, body, options),
    /** Explains whether a person sees the agent. */
    access: (id: string, person?: Person, options?: RequestOptions) =>
      explained(http, `/agents/${segment(id)}/access`, person, options),
  },
  /** Prompts with variables and versions, shared by agents. */
  promptTemplates: methods.promptTemplates(http),
  /** Models that agents and searches use, with their providers and prices. */
  models: methods.models(http),
  /** Messages to agents and their replies, whole or streamed. */
  conversations: conversations(http),
  /** Images and documents that messages bring along. */
  files: files(http),
  /** The tool calls that wait for a person, and those that were decided about. */
  approvals: methods.approvals(http),
  /** Files, pages and folders, read into passages that can be searched. */
  knowledgeSources: {
    ...methods.knowledgeSources(http),
    /** Explains whether a person sees the source. */
    access: (id: string, person?: Person, options?: RequestOptions) =>
      explained(http, `/knowledge-sources/${segment(id)}/access`, person, options),
    /** The document as it was uploaded. Returns the response with an unread body. */
    documentFile: (id: string, document: string, options?: RequestOptions): Promise<Response> =>
      http.send('GET', `${documentPath(id, document)}/file`, options),
    /** Explains whether a person sees the document. */
    documentAccess: (id: string, document: string, person?: Person, options?: RequestOptions) =>
      explained(http, `${documentPath(id, document)}/access`, person, options),
    /** Uploads files to a source of type `file`. `onProgress` reports the progress of each. */
    upload: (id: string, files: Iterable<File | UploadFile>, options?: UploadOptions) =>
      upload(http, `/knowledge-sources/${segment(id)}/documents`, files, options),
  },
  /** Questions to one knowledge source, answered with citations. */
  ragTools: methods.ragTools(http),
  /** Searches over several knowledge sources. */
  retrievalTools: methods.retrievalTools(http),
  /** Requests to other services that agents can make, and MCP servers. */
  apiTools: methods.apiTools(http),
  /** Versions of an agent compared on real conversations. */
  experiments: methods.experiments(http),
  /** Test cases for agents, models and tools, with scorers and runs to compare. */
  evaluations: {
    ...methods.evaluations(http),
    /** One page of the results with its pagination. */
    resultPage: (id: string, query?: RequestQuery<'/evaluations/{id}/results'>, options?: RequestOptions) =>
      http.json<{ data: ResponseData<'/evaluations/{id}/results', 'get'>; pagination: Pagination }>(
        'GET',
        resultsPath(id),
        {
          ...options,
          query,
        },
      ),
    /** All results as a file. Returns the response with an unread body. */
    exportResults: (id: string, query: ExportQuery, options?: RequestOptions): Promise<Response> =>
      http.send('GET', resultsPath(id), { ...options, query: { ...query } }),
  },
  /** Scorers on a sample of the replies to people, within a daily budget. */
  monitors: methods.monitors(http),
  /** Replies that people look at: thumbs down, low scores, failures and a sample. */
  reviews: methods.reviews(http),
  /** Messages, syncs and evaluations that run at set times. */
  schedules: methods.schedules(http),
  /** Signed requests of other systems that start a conversation. */
  triggers: methods.triggers(http),
  /** Requests that Parley sends when something happens. */
  webhooks: methods.webhooks(http),
  /** Tokens and cost, and budgets that limit them. */
  usage: {
    ...methods.usage(http),
    /** Budgets: limits of cost or tokens that notify or block. */
    thresholds: methods.thresholds(http),
  },
  /** Statistics of conversations. */
  analytics: methods.analytics(http),
  /** Access to the API, each with a role. */
  tokens: methods.tokens(http),
  /** Facts that agents remember. */
  memories: methods.memories(http),
  /** Accounts of people, and of the workspace, at the providers of tools. */
  connections: methods.connections(http),
  /** The programs that you have connected to the MCP server. */
  connectedClients: methods.connectedClients(http),
  /** Links by which people join. */
  invitations: methods.invitations(http),
  /** Clients that want to connect to the MCP server, for the consent page. */
  oauth: methods.oauth(http),
  /** The record of who changed what, and when. */
  audit: methods.audit(http),
  /** The people of the workspace, and export and erasure of everything that is kept of one. */
  users: {
    ...methods.users(http),
    /** Exports and erasures, with their receipts. */
    jobs: {
      ...methods.userJobs(http),
      /** The archive of an export. Returns the response with an unread body. */
      content: (id: string, options?: RequestOptions): Promise<Response> =>
        http.send('GET', `/user-jobs/${segment(id)}/content`, options),
    },
  },
  /** Separate spaces for teams. Nothing in one is visible in another. */
  workspaces: methods.workspaces(http),
  /** The session of a browser. Create the client with `session: true`. */
  auth: methods.auth(http),
  ...methods.service(http),
  /** Finds anything by name, and conversations by what was said. */
  search: (query: RequestQuery<'/search'> & { q: string }, options?: RequestOptions) =>
    http.data<Schemas['FoundResource'][]>('GET', '/search', { ...options, query }),
  /** The health of the server, also if it is unhealthy (503). Needs no token. */
  health: (options?: RequestOptions) =>
    http.json<Schemas['Health']>('GET', '/health', { ...options, expectedStatus: 503 }),
  /** Calls any route below /api and returns the whole JSON response. */
  request: <T>(method: string, path: string, request?: HttpRequest) => http.json<T>(method, path, request),
})

interface ExportQuery {
  /** The format of the file. */
  format: 'csv' | 'jsonl'
  /** The run. Default: the newest. */
  run_id?: string | undefined
  /** Only results with this outcome. */
  outcome?: string | undefined
}

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
