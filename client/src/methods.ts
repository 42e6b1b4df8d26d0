// Generated from openapi.json by `npm run client`. Do not edit.
import type { Http, RequestOptions } from './http.ts'
import { paginate } from './pages.ts'
import { segment } from './segment.ts'
import type { ListRow, RequestBody, RequestQuery, ResponseData } from './types.ts'

export const agents = (http: Http) => ({
  /** List agents. Permission: `read-agents`. */
  list: (query?: RequestQuery<'/agents', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/agents'>>(http, '/agents', query, options),
  /** Create an agent. Permission: `write-configuration`. */
  create: (body: RequestBody<'/agents', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/agents', 'post'>>('POST', '/agents', { ...options, body }),
  /** Get an agent. Permission: `read-agents`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/agents/{id}', 'get'>>('GET', `/agents/${segment(id)}`, options),
  /** Update an agent. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/agents/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/agents/{id}', 'put'>>('PUT', `/agents/${segment(id)}`, { ...options, body }),
  /** Delete an agent. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/agents/${segment(id)}`, options).then(() => {}),
  /** List the versions of an agent. Permission: `read-configuration`. */
  versions: (id: string, query?: RequestQuery<'/agents/{id}/versions', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/agents/{id}/versions'>>(http, `/agents/${segment(id)}/versions`, query, options),
  /** Get a version of an agent. Permission: `read-configuration`. */
  version: (id: string, version: number, options?: RequestOptions) =>
    http.data<ResponseData<'/agents/{id}/versions/{version}', 'get'>>('GET', `/agents/${segment(id)}/versions/${segment(version)}`, options),
  /**
   * Restore a version of an agent. Creates a new version with the fields of the old one. Permission:
   * `write-configuration`.
   */
  restore: (id: string, version: number, options?: RequestOptions) =>
    http.data<ResponseData<'/agents/{id}/versions/{version}/restore', 'post'>>('POST', `/agents/${segment(id)}/versions/${segment(version)}/restore`, options),
  /** List the labels of an agent. Permission: `read-configuration`. */
  labels: (id: string, query?: RequestQuery<'/agents/{id}/labels', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/agents/{id}/labels'>>(http, `/agents/${segment(id)}/labels`, query, options),
  /**
   * Label a version of an agent. Moves the label, or adds it. The next conversation gets the version, on every node.
   * The version labelled `production` answers wherever none is named. A gate stays with the label: every version needs
   * a last run of that evaluation that has passed. A label that a running experiment chooses by cannot be moved.
   * Permission: `write-configuration`.
   */
  setLabel: (id: string, label: string, body: RequestBody<'/agents/{id}/labels/{label}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/agents/{id}/labels/{label}', 'put'>>('PUT', `/agents/${segment(id)}/labels/${segment(label)}`, { ...options, body }),
  /** Remove a label from an agent. Its gate is removed with it. Permission: `write-configuration`. */
  deleteLabel: (id: string, label: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/agents/${segment(id)}/labels/${segment(label)}`, options).then(() => {}),
  /**
   * Try changes of an agent without saving them. Runs the agent with the given fields in place of the saved ones and
   * answers the last of `messages`. Fields that are left out are as saved, or as in `base_version`. Neither the changes
   * nor the conversation are stored; the model calls are billed and limited by budgets like all others. Tools are
   * called, but calls that need approval are `refused`, because nobody can approve them here. With `stream: true` the
   * answer is `text/event-stream` with the events of a message. A disconnect cancels. Permission:
   * `write-configuration`.
   */
  try: (id: string, body: RequestBody<'/agents/{id}/try', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/agents/{id}/try', 'post'>>('POST', `/agents/${segment(id)}/try`, { ...options, body }),
})

export const analytics = (http: Http) => ({
  /**
   * What happened in the conversations of a period. Tokens, cost, errors and feedback count every reply, also one that
   * was regenerated; messages count what the conversations show. A reply counts once it has ended. Permission:
   * `read-configuration`.
   */
  conversations: (query?: RequestQuery<'/analytics/conversations', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/analytics/conversations', 'get'>>('GET', '/analytics/conversations', { ...options, query }),
})

export const apiTools = (http: Http) => ({
  /** List API tools. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/api-tools', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/api-tools'>>(http, '/api-tools', query, options),
  /** Create an API tool. Permission: `write-configuration`. */
  create: (body: RequestBody<'/api-tools', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools', 'post'>>('POST', '/api-tools', { ...options, body }),
  /** Get an API tool. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/{id}', 'get'>>('GET', `/api-tools/${segment(id)}`, options),
  /** Update an API tool. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/api-tools/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/{id}', 'put'>>('PUT', `/api-tools/${segment(id)}`, { ...options, body }),
  /** Delete an API tool. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/api-tools/${segment(id)}`, options).then(() => {}),
  /**
   * Call an API tool as a model would. Failures are in `error`. Secrets are masked in the response. Permission:
   * `write-configuration`.
   */
  test: (id: string, body?: RequestBody<'/api-tools/{id}/test', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/{id}/test', 'post'>>('POST', `/api-tools/${segment(id)}/test`, { ...options, body }),
  /**
   * List the tools of an MCP server. The tools in effect, and how the server has changed them since. Does not contact
   * the server. Permission: `read-configuration`.
   */
  tools: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/{id}/tools', 'get'>>('GET', `/api-tools/${segment(id)}/tools`, options),
  /** Ask an MCP server for its tools now. Permission: `write-configuration`. */
  refreshTools: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/{id}/tools/refresh', 'post'>>('POST', `/api-tools/${segment(id)}/tools/refresh`, options),
  /**
   * Accept the changed tools of an MCP server. Puts what the server offers into effect. 412 if it has changed again
   * since it was reviewed. Permission: `write-configuration`.
   */
  acceptTools: (id: string, body: RequestBody<'/api-tools/{id}/tools/accept', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/{id}/tools/accept', 'post'>>('POST', `/api-tools/${segment(id)}/tools/accept`, { ...options, body }),
  /**
   * Import tools from an OpenAPI document. Creates one tool per operation. Importing the same document again updates
   * its tools and keeps their names and secrets. Operations that cannot become tools are listed with the reason.
   * Permission: `write-configuration`.
   */
  import: (body?: RequestBody<'/api-tools/import', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/api-tools/import', 'post'>>('POST', '/api-tools/import', { ...options, body }),
})

export const approvals = (http: Http) => ({
  /** List approvals. Permission: `approve`. */
  list: (query?: RequestQuery<'/approvals', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/approvals'>>(http, '/approvals', query, options),
  /** Get an approval. Permission: `approve`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/approvals/{id}', 'get'>>('GET', `/approvals/${segment(id)}`, options),
  /**
   * Approve or refuse a tool call. Answers with the approval at once. If the reply waits for no other call, it goes on
   * in the background: read the message, or follow its stream. The same decision again changes nothing; the opposite
   * one is 409, and so is a decision after `expires_at`. A caller who sees the approval but may not decide gets 403,
   * with `deciders`. Permission: `approve`.
   */
  decide: (id: string, body: RequestBody<'/approvals/{id}', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/approvals/{id}', 'post'>>('POST', `/approvals/${segment(id)}`, { ...options, body }),
})

export const audit = (http: Http) => ({
  /**
   * List audit entries. Every change by a request, also messages, feedback and cancels, stored in the transaction that
   * made it. Entries have no values. They are chained by hash: `GET /audit/verify` finds what was changed, removed or
   * inserted in the database. Permission: `administer`.
   */
  list: (query?: RequestQuery<'/audit', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/audit'>>(http, '/audit', query, options),
  /**
   * Verify the audit log. Checks every entry of the workspace against the chain of hashes, whose key derives from
   * SECRET_KEY. To find out later whether even the whole database was rewritten, note `head` outside of it and send it
   * as `sequence` and `hash`. Permission: `administer`.
   */
  verify: (query?: RequestQuery<'/audit/verify', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/audit/verify', 'get'>>('GET', '/audit/verify', { ...options, query }),
})

export const auth = (http: Http) => ({
  /**
   * Sign in. Starts a session of this browser with a token. The response sets the session cookie, which scripts cannot
   * read: `__Host-parley_session` over https, `parley_session` over plain http. Requests with the cookie count only if
   * they come from the same origin and carry the header `X-Requested-With` (reads by link need no header).
   */
  signIn: (body: RequestBody<'/auth/session', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/auth/session', 'post'>>('POST', '/auth/session', { ...options, body }),
  /** Get the current session. Permission: `see-status`. */
  session: (options?: RequestOptions) =>
    http.data<ResponseData<'/auth/session', 'get'>>('GET', '/auth/session', options),
  /** List the ways to sign in. For the sign-in page. A token always works. */
  methods: (options?: RequestOptions) =>
    http.data<ResponseData<'/auth/methods', 'get'>>('GET', '/auth/methods', options),
  /**
   * Get the settings of sign-in. They are set by variables when the service starts. Secrets are not shown. Permission:
   * `administer`.
   */
  settings: (options?: RequestOptions) =>
    http.data<ResponseData<'/auth/settings', 'get'>>('GET', '/auth/settings', options),
  /**
   * Sign out. Ends this session, or with `everywhere` all sessions of its token. The token itself stays valid. After a
   * sign-in at an identity provider, open `end_session_url` to sign out there, too. Permission: `see-status`.
   */
  signOut: (body?: RequestBody<'/auth/logout', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/auth/logout', 'post'>>('POST', '/auth/logout', { ...options, body }),
})

export const connectedClients = (http: Http) => ({
  /** List connected clients. Permission: `converse`. */
  list: (query?: RequestQuery<'/connected-clients', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/connected-clients'>>(http, '/connected-clients', query, options),
  /** Get a connected client. Permission: `converse`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/connected-clients/{id}', 'get'>>('GET', `/connected-clients/${segment(id)}`, options),
  /** Delete a connected client. Permission: `converse`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/connected-clients/${segment(id)}`, options).then(() => {}),
})

export const connections = (http: Http) => ({
  /** List connections. Permission: `converse`. */
  list: (query?: RequestQuery<'/connections', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/connections'>>(http, '/connections', query, options),
  /** Get a connection. Permission: `converse`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/connections/{id}', 'get'>>('GET', `/connections/${segment(id)}`, options),
  /** Delete a connection. Permission: `converse`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/connections/${segment(id)}`, options).then(() => {}),
  /**
   * Connect an account. Answers with the page of the provider that the person opens. It ends at `GET
   * /connections/callback`, and replies that wait for the account go on. The account of a workspace is connected by
   * editors and above. Permission: `converse`.
   */
  connect: (body: RequestBody<'/connections', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/connections', 'post'>>('POST', '/connections', { ...options, body }),
  /**
   * List tools that use accounts. The tools that you can connect an account to with `POST /connections`. The role
   * `user` gets those of the agents that it sees. Permission: `converse`.
   */
  tools: (options?: RequestOptions) =>
    http.data<ResponseData<'/connections/tools', 'get'>>('GET', '/connections/tools', options),
})

export const conversations = (http: Http) => ({
  /** List conversations. Permission: `converse`. */
  list: (query?: RequestQuery<'/conversations', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/conversations'>>(http, '/conversations', query, options),
  /** Create a conversation. Permission: `converse`. */
  create: (body: RequestBody<'/conversations', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations', 'post'>>('POST', '/conversations', { ...options, body }),
  /** Get a conversation. Permission: `converse`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}', 'get'>>('GET', `/conversations/${segment(id)}`, options),
  /** Update a conversation. Permission: `converse`. */
  update: (id: string, body: RequestBody<'/conversations/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}', 'put'>>('PUT', `/conversations/${segment(id)}`, { ...options, body }),
  /** Delete a conversation. Permission: `converse`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/conversations/${segment(id)}`, options).then(() => {}),
  /** Get a message. Permission: `converse`. */
  message: (id: string, message: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/messages/{message}', 'get'>>('GET', `/conversations/${segment(id)}/messages/${segment(message)}`, options),
  /**
   * Get the steps of a reply. Shows the steps of the turn and how long each took: model calls with their tokens and
   * cost, tool calls, searches, and waits for approval. A reply that is being written shows its steps so far.
   * Permission: `converse`.
   */
  trace: (id: string, message: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/messages/{message}/trace', 'get'>>('GET', `/conversations/${segment(id)}/messages/${segment(message)}/trace`, options),
  /** Stop a reply. Permission: `converse`. */
  cancel: (id: string, message: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/messages/{message}/cancel', 'post'>>('POST', `/conversations/${segment(id)}/messages/${segment(message)}/cancel`, options),
  /**
   * Switch to another version of a message. Makes the branch of the message the active one: the messages before it, and
   * after it the newest ones. Lists, GET and the next message to the agent use the active branch. Answers with the
   * conversation. Permission: `converse`.
   */
  activate: (id: string, message: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/messages/{message}/activate', 'post'>>('POST', `/conversations/${segment(id)}/messages/${segment(message)}/activate`, options),
  /** Say whether a reply was good. Permission: `converse`. */
  feedback: (id: string, message: string, body: RequestBody<'/conversations/{id}/messages/{message}/feedback', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/messages/{message}/feedback', 'post'>>('POST', `/conversations/${segment(id)}/messages/${segment(message)}/feedback`, { ...options, body }),
  /**
   * List the messages of a conversation, oldest first. The messages of the active branch, or of the one `through` a
   * message. `versions` of a message names the ones beside it. Permission: `converse`.
   */
  messages: (id: string, query?: RequestQuery<'/conversations/{id}/messages', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/conversations/{id}/messages'>>(http, `/conversations/${segment(id)}/messages`, query, options),
  /**
   * Count the messages, tokens and cost of a conversation. Messages are those of the active branch. Tokens and cost are
   * those of all branches. Permission: `converse`.
   */
  totals: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/totals', 'get'>>('GET', `/conversations/${segment(id)}/totals`, options),
  /** Complete a conversation. Permission: `converse`. */
  complete: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/conversations/{id}/complete', 'post'>>('POST', `/conversations/${segment(id)}/complete`, options),
})

export const evaluations = (http: Http) => ({
  /** List evaluations. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/evaluations', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/evaluations'>>(http, '/evaluations', query, options),
  /** Create an evaluation. Permission: `write-configuration`. */
  create: (body: RequestBody<'/evaluations', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations', 'post'>>('POST', '/evaluations', { ...options, body }),
  /** Get an evaluation. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}', 'get'>>('GET', `/evaluations/${segment(id)}`, options),
  /** Update an evaluation. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/evaluations/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}', 'put'>>('PUT', `/evaluations/${segment(id)}`, { ...options, body }),
  /** Delete an evaluation. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/evaluations/${segment(id)}`, options).then(() => {}),
  /**
   * Start a run of an evaluation. The run uses the cases and the scorers as they are now, and the newest version of the
   * target unless `target_version` names another. It resumes after a crash and bills no case twice. Permission:
   * `write-configuration`.
   */
  run: (id: string, query?: RequestQuery<'/evaluations/{id}/run', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}/run', 'post'>>('POST', `/evaluations/${segment(id)}/run`, { ...options, query }),
  /** List the runs of an evaluation. Permission: `read-configuration`. */
  runs: (id: string, query?: RequestQuery<'/evaluations/{id}/runs', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/evaluations/{id}/runs'>>(http, `/evaluations/${segment(id)}/runs`, query, options),
  /** Get a run of an evaluation. Permission: `read-configuration`. */
  getRun: (id: string, run: string, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}/runs/{run}', 'get'>>('GET', `/evaluations/${segment(id)}/runs/${segment(run)}`, options),
  /** Cancel a run. Finished cases are kept. A run that has ended is not changed. Permission: `write-configuration`. */
  cancelRun: (id: string, run: string, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}/runs/{run}/cancel', 'post'>>('POST', `/evaluations/${segment(id)}/runs/${segment(run)}/cancel`, options),
  /**
   * Import test cases from CSV or JSON Lines. The first row of CSV names the columns: `input`, and optionally
   * `expected_output` and `metadata` (a JSON object). Other columns become metadata. The body can also be the file
   * itself, as `text/csv` or `application/x-ndjson`. Permission: `write-configuration`.
   */
  importCases: (id: string, body: RequestBody<'/evaluations/{id}/test-cases/import', 'post'>, query?: RequestQuery<'/evaluations/{id}/test-cases/import', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}/test-cases/import', 'post'>>('POST', `/evaluations/${segment(id)}/test-cases/import`, { ...options, query, body }),
  /** Create a test case from a message. Permission: `write-configuration`. */
  caseFromMessage: (id: string, body: RequestBody<'/evaluations/{id}/test-cases/from-message', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}/test-cases/from-message', 'post'>>('POST', `/evaluations/${segment(id)}/test-cases/from-message`, { ...options, body }),
  /**
   * Get the results of a run, and compare it with another. Shows the newest run, or `run_id`. `compare_to` adds a
   * comparison with an earlier run; the verdict is then also `failed` if something became significantly worse. For a
   * file with all results use `format=csv` or `format=jsonl`, or an `Accept` header of `text/csv` or
   * `application/x-ndjson`. Permission: `read-configuration`.
   */
  results: (id: string, query?: RequestQuery<'/evaluations/{id}/results', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/evaluations/{id}/results', 'get'>>('GET', `/evaluations/${segment(id)}/results`, { ...options, query }),
})

export const experiments = (http: Http) => ({
  /** List experiments. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/experiments', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/experiments'>>(http, '/experiments', query, options),
  /** Create an experiment. Permission: `write-configuration`. */
  create: (body: RequestBody<'/experiments', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments', 'post'>>('POST', '/experiments', { ...options, body }),
  /** Get an experiment. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments/{id}', 'get'>>('GET', `/experiments/${segment(id)}`, options),
  /** Update an experiment. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/experiments/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments/{id}', 'put'>>('PUT', `/experiments/${segment(id)}`, { ...options, body }),
  /** Delete an experiment. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/experiments/${segment(id)}`, options).then(() => {}),
  /**
   * Start an experiment. New conversations of the agent that name no label get a variant, chosen by a hash of the
   * experiment and the `user_id`, or of the conversation if it has none. One experiment of an agent runs at a time.
   * Permission: `write-configuration`.
   */
  start: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments/{id}/start', 'post'>>('POST', `/experiments/${segment(id)}/start`, options),
  /** Stop an experiment. Conversations that have started keep their version. Permission: `write-configuration`. */
  stop: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments/{id}/stop', 'post'>>('POST', `/experiments/${segment(id)}/stop`, options),
  /**
   * Promote a variant. Labels its version `production`, if the gate of that label allows it, and stops the experiment,
   * so that everybody gets it. Permission: `write-configuration`.
   */
  promote: (id: string, body: RequestBody<'/experiments/{id}/promote', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments/{id}/promote', 'post'>>('POST', `/experiments/${segment(id)}/promote`, { ...options, body }),
  /**
   * Get the results of an experiment. Others are compared with the first variant. Intervals and p-values come from a
   * sequential test: however often one looks, the chance of a false alarm stays below 5 %. Permission:
   * `read-configuration`.
   */
  results: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/experiments/{id}/results', 'get'>>('GET', `/experiments/${segment(id)}/results`, options),
})

export const files = (http: Http) => ({
  /**
   * Get a file. A token of role `user` sees the files it has uploaded, and those in conversations that it can read.
   * Permission: `converse`.
   */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/files/{id}', 'get'>>('GET', `/files/${segment(id)}`, options),
  /**
   * Delete a file. A file that is attached to a message cannot be deleted (`in_use`). Deleting a conversation deletes
   * the files that only it uses. Permission: `converse`.
   */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/files/${segment(id)}`, options).then(() => {}),
})

export const knowledgeSources = (http: Http) => ({
  /** List knowledge sources. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/knowledge-sources', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/knowledge-sources'>>(http, '/knowledge-sources', query, options),
  /** Create a knowledge source. Permission: `write-configuration`. */
  create: (body: RequestBody<'/knowledge-sources', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources', 'post'>>('POST', '/knowledge-sources', { ...options, body }),
  /** Get a knowledge source. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}', 'get'>>('GET', `/knowledge-sources/${segment(id)}`, options),
  /** Update a knowledge source. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/knowledge-sources/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}', 'put'>>('PUT', `/knowledge-sources/${segment(id)}`, { ...options, body }),
  /** Delete a knowledge source. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/knowledge-sources/${segment(id)}`, options).then(() => {}),
  /**
   * Sync a source. Reads new and changed documents and removes deleted ones. The record shows the progress. If a change
   * of the source has already started a sync, the response is the record of that sync. Permission:
   * `write-configuration`.
   */
  sync: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/sync', 'post'>>('POST', `/knowledge-sources/${segment(id)}/sync`, options),
  /** List the syncs of a source. Permission: `read-configuration`. */
  syncs: (id: string, query?: RequestQuery<'/knowledge-sources/{id}/syncs', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/knowledge-sources/{id}/syncs'>>(http, `/knowledge-sources/${segment(id)}/syncs`, query, options),
  /** Get a sync. Permission: `read-configuration`. */
  syncRecord: (id: string, sync: string, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/syncs/{sync}', 'get'>>('GET', `/knowledge-sources/${segment(id)}/syncs/${segment(sync)}`, options),
  /** List the documents of a source. Permission: `read-configuration`. */
  documents: (id: string, query?: RequestQuery<'/knowledge-sources/{id}/documents', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/knowledge-sources/{id}/documents'>>(http, `/knowledge-sources/${segment(id)}/documents`, query, options),
  /** Get a document. Permission: `read-configuration`. */
  document: (id: string, document: string, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/documents/{document}', 'get'>>('GET', `/knowledge-sources/${segment(id)}/documents/${segment(document)}`, options),
  /**
   * Get the text of a document, or a part of it. The parsed text. The `start` and `end` of search results and citations
   * are positions in it. Permission: `read-configuration`.
   */
  documentContent: (id: string, document: string, query?: RequestQuery<'/knowledge-sources/{id}/documents/{document}/content', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/documents/{document}/content', 'get'>>('GET', `/knowledge-sources/${segment(id)}/documents/${segment(document)}/content`, { ...options, query }),
  /**
   * List the passages of a document. The passages in the source's default index, in the order of the text. Neighbours
   * may overlap. Tools with another `chunk_size` split the text differently. Permission: `read-configuration`.
   */
  documentChunks: (id: string, document: string, query?: RequestQuery<'/knowledge-sources/{id}/documents/{document}/chunks', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/knowledge-sources/{id}/documents/{document}/chunks'>>(http, `/knowledge-sources/${segment(id)}/documents/${segment(document)}/chunks`, query, options),
  /**
   * Change the metadata of a document. Changes an uploaded file or a text; an attachment has the metadata and the
   * access of its mail. Replaces the metadata that was given before; what was read from the file itself stays. A sync
   * then applies it to searches. Permission: `write-configuration`.
   */
  updateDocument: (id: string, document: string, body: RequestBody<'/knowledge-sources/{id}/documents/{document}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/documents/{document}', 'put'>>('PUT', `/knowledge-sources/${segment(id)}/documents/${segment(document)}`, { ...options, body }),
  /**
   * Read a document again. Even if it has not changed, such as one that failed. Starts a sync of its source, or joins
   * one that runs; the other documents are only checked for changes. Permission: `write-configuration`.
   */
  syncDocument: (id: string, document: string, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/documents/{document}/sync', 'post'>>('POST', `/knowledge-sources/${segment(id)}/documents/${segment(document)}/sync`, options),
  /**
   * Delete a document. Deletes the file, its text, its passages and its attachments. A page of a `web` source or a file
   * of a `directory` source that still exists comes back with the next sync. Permission: `write-configuration`.
   */
  deleteDocument: (id: string, document: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/knowledge-sources/${segment(id)}/documents/${segment(document)}`, options).then(() => {}),
  /**
   * Search a knowledge source. Needs no tool: it finds what a retrieval tool with default settings would find.
   * Permission: `write-configuration`.
   */
  search: (id: string, body: RequestBody<'/knowledge-sources/{id}/search', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/search', 'post'>>('POST', `/knowledge-sources/${segment(id)}/search`, { ...options, body }),
  /**
   * List the tables of a source. Sheets, CSV files and tables in documents, as the last sync found them. Each shows its
   * first three rows. Permission: `read-configuration`.
   */
  tables: (id: string, query?: RequestQuery<'/knowledge-sources/{id}/tables', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/knowledge-sources/{id}/tables'>>(http, `/knowledge-sources/${segment(id)}/tables`, query, options),
  /**
   * Get a table with a page of its rows. `pagination` counts the rows, or those that contain `q`. Permission:
   * `read-configuration`.
   */
  table: (id: string, table: string, query?: RequestQuery<'/knowledge-sources/{id}/tables/{table}', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/knowledge-sources/{id}/tables/{table}', 'get'>>('GET', `/knowledge-sources/${segment(id)}/tables/${segment(table)}`, { ...options, query }),
})

export const oauth = (http: Http) => ({
  /**
   * Describe a client that wants to connect. For the consent page of the console. It takes the parameters of
   * `/oauth/authorize`. Permission: `see-status`.
   */
  consent: (query?: RequestQuery<'/oauth/consent', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/oauth/consent', 'get'>>('GET', '/oauth/consent', { ...options, query }),
  /**
   * Allow or refuse a client. Needs the session of a browser: a token cannot allow a client. Answers with the address
   * that takes the code, or the refusal, to the client. Permission: `see-status`.
   */
  decide: (body: RequestBody<'/oauth/consent', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/oauth/consent', 'post'>>('POST', '/oauth/consent', { ...options, body }),
})

export const invitations = (http: Http) => ({
  /** List invitations. Permission: `administer`. */
  list: (query?: RequestQuery<'/invitations', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/invitations'>>(http, '/invitations', query, options),
  /** Create an invitation. Permission: `administer`. */
  create: (body?: RequestBody<'/invitations', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/invitations', 'post'>>('POST', '/invitations', { ...options, body }),
  /** Get an invitation. Permission: `administer`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/invitations/{id}', 'get'>>('GET', `/invitations/${segment(id)}`, options),
  /** Delete an invitation. Permission: `administer`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/invitations/${segment(id)}`, options).then(() => {}),
  /**
   * Accept an invitation. Starts a session of this browser as the invited person, as `POST /auth/session` does with a
   * token. The code works once.
   */
  accept: (body: RequestBody<'/invitations/accept', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/invitations/accept', 'post'>>('POST', '/invitations/accept', { ...options, body }),
})

export const models = (http: Http) => ({
  /** List models. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/models', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/models'>>(http, '/models', query, options),
  /** Create a model. Permission: `administer`. */
  create: (body: RequestBody<'/models', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/models', 'post'>>('POST', '/models', { ...options, body }),
  /** Get a model. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/models/{id}', 'get'>>('GET', `/models/${segment(id)}`, options),
  /** Update a model. Permission: `administer`. */
  update: (id: string, body: RequestBody<'/models/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/models/{id}', 'put'>>('PUT', `/models/${segment(id)}`, { ...options, body }),
  /** Delete a model. Permission: `administer`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/models/${segment(id)}`, options).then(() => {}),
  /**
   * Test a model. Sends the provider the smallest possible request, which is billed like any other. If it fails,
   * `error` says why. Permission: `write-configuration`.
   */
  test: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/models/{id}/test', 'post'>>('POST', `/models/${segment(id)}/test`, options),
  /**
   * List the models of a provider. Asks the provider which models the key can use. Nothing is stored. Prices and
   * context windows are those that the provider reports, or else those known for well-known models: check them before
   * you rely on them. Permission: `administer`.
   */
  available: (body: RequestBody<'/models/available', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/models/available', 'post'>>('POST', '/models/available', { ...options, body }),
  /**
   * Test a model before it is stored. Sends the provider the smallest possible request. Nothing is stored or counted.
   * If it fails, `error` says why. Permission: `administer`.
   */
  check: (body: RequestBody<'/models/check', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/models/check', 'post'>>('POST', '/models/check', { ...options, body }),
})

export const memories = (http: Http) => ({
  /** List memories. Permission: `converse`. */
  list: (query?: RequestQuery<'/memories', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/memories'>>(http, '/memories', query, options),
  /** Create a memory. Permission: `converse`. */
  create: (body: RequestBody<'/memories', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/memories', 'post'>>('POST', '/memories', { ...options, body }),
  /** Get a memory. Permission: `converse`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/memories/{id}', 'get'>>('GET', `/memories/${segment(id)}`, options),
  /** Update a memory. Permission: `converse`. */
  update: (id: string, body: RequestBody<'/memories/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/memories/{id}', 'put'>>('PUT', `/memories/${segment(id)}`, { ...options, body }),
  /** Delete a memory. Permission: `converse`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/memories/${segment(id)}`, options).then(() => {}),
  /** Delete all memories about a person. Permission: `converse`. */
  deleteAll: (query?: RequestQuery<'/memories', 'delete'>, options?: RequestOptions) =>
    http.json<unknown>('DELETE', '/memories', { ...options, query }).then(() => {}),
  /** List the earlier facts that a memory has replaced. Permission: `converse`. */
  versions: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/memories/{id}/versions', 'get'>>('GET', `/memories/${segment(id)}/versions`, options),
  /**
   * Take back the last change of a memory. Brings back the fact that it has replaced. A memory that has replaced none
   * is deleted, and `data` is null. Permission: `converse`.
   */
  undo: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/memories/{id}/undo', 'post'>>('POST', `/memories/${segment(id)}/undo`, options),
  /** Get the memory settings of the workspace. Permission: `converse`. */
  settings: (options?: RequestOptions) =>
    http.data<ResponseData<'/memory-settings', 'get'>>('GET', '/memory-settings', options),
  /** Turn memory on or off for the workspace. Permission: `administer`. */
  changeSettings: (body: RequestBody<'/memory-settings', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/memory-settings', 'put'>>('PUT', '/memory-settings', { ...options, body }),
})

export const monitors = (http: Http) => ({
  /** List monitors. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/monitors', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/monitors'>>(http, '/monitors', query, options),
  /** Create a monitor. Permission: `write-configuration`. */
  create: (body: RequestBody<'/monitors', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/monitors', 'post'>>('POST', '/monitors', { ...options, body }),
  /** Get a monitor. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/monitors/{id}', 'get'>>('GET', `/monitors/${segment(id)}`, options),
  /** Update a monitor. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/monitors/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/monitors/{id}', 'put'>>('PUT', `/monitors/${segment(id)}`, { ...options, body }),
  /** Delete a monitor. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/monitors/${segment(id)}`, options).then(() => {}),
  /** List the scores of a monitor. Permission: `read-configuration`. */
  scores: (id: string, query?: RequestQuery<'/monitors/{id}/scores', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/monitors/{id}/scores'>>(http, `/monitors/${segment(id)}/scores`, query, options),
  /**
   * Summarize the scores of a monitor. Over the period, by version of the agent, by the label that chose the version,
   * and over time. Permission: `read-configuration`.
   */
  summary: (id: string, query?: RequestQuery<'/monitors/{id}/summary', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/monitors/{id}/summary', 'get'>>('GET', `/monitors/${segment(id)}/summary`, { ...options, query }),
  /**
   * Compare the verdicts of the judge and of people. Over the replies that both have judged. It tells whether to trust
   * the judge. Permission: `read-configuration`.
   */
  agreement: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/monitors/{id}/agreement', 'get'>>('GET', `/monitors/${segment(id)}/agreement`, options),
})

export const promptTemplates = (http: Http) => ({
  /** List prompt templates. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/prompt-templates', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/prompt-templates'>>(http, '/prompt-templates', query, options),
  /** Create a prompt template. Permission: `write-configuration`. */
  create: (body: RequestBody<'/prompt-templates', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates', 'post'>>('POST', '/prompt-templates', { ...options, body }),
  /** Get a prompt template. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates/{id}', 'get'>>('GET', `/prompt-templates/${segment(id)}`, options),
  /** Update a prompt template. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/prompt-templates/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates/{id}', 'put'>>('PUT', `/prompt-templates/${segment(id)}`, { ...options, body }),
  /** Delete a prompt template. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/prompt-templates/${segment(id)}`, options).then(() => {}),
  /** List the versions of a prompt template. Permission: `read-configuration`. */
  versions: (id: string, query?: RequestQuery<'/prompt-templates/{id}/versions', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/prompt-templates/{id}/versions'>>(http, `/prompt-templates/${segment(id)}/versions`, query, options),
  /** Get a version of a prompt template. Permission: `read-configuration`. */
  version: (id: string, version: number, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates/{id}/versions/{version}', 'get'>>('GET', `/prompt-templates/${segment(id)}/versions/${segment(version)}`, options),
  /**
   * Restore a version of a prompt template. Creates a new version with the fields of the old one. Permission:
   * `write-configuration`.
   */
  restore: (id: string, version: number, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates/{id}/versions/{version}/restore', 'post'>>('POST', `/prompt-templates/${segment(id)}/versions/${segment(version)}/restore`, options),
  /** List the labels of a prompt template. Permission: `read-configuration`. */
  labels: (id: string, query?: RequestQuery<'/prompt-templates/{id}/labels', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/prompt-templates/{id}/labels'>>(http, `/prompt-templates/${segment(id)}/labels`, query, options),
  /**
   * Label a version of a prompt template. Moves the label, or adds it. Agents use the version labelled `production`, if
   * there is one, from their next message on. Permission: `write-configuration`.
   */
  setLabel: (id: string, label: string, body: RequestBody<'/prompt-templates/{id}/labels/{label}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates/{id}/labels/{label}', 'put'>>('PUT', `/prompt-templates/${segment(id)}/labels/${segment(label)}`, { ...options, body }),
  /** Remove a label from a prompt template. Permission: `write-configuration`. */
  deleteLabel: (id: string, label: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/prompt-templates/${segment(id)}/labels/${segment(label)}`, options).then(() => {}),
  /** Render a prompt template. Permission: `write-configuration`. */
  render: (id: string, body?: RequestBody<'/prompt-templates/{id}/render', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/prompt-templates/{id}/render', 'post'>>('POST', `/prompt-templates/${segment(id)}/render`, { ...options, body }),
})

export const ragTools = (http: Http) => ({
  /** List RAG tools. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/rag-tools', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/rag-tools'>>(http, '/rag-tools', query, options),
  /** Create a RAG tool. Permission: `write-configuration`. */
  create: (body: RequestBody<'/rag-tools', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/rag-tools', 'post'>>('POST', '/rag-tools', { ...options, body }),
  /** Get a RAG tool. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/rag-tools/{id}', 'get'>>('GET', `/rag-tools/${segment(id)}`, options),
  /** Update a RAG tool. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/rag-tools/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/rag-tools/{id}', 'put'>>('PUT', `/rag-tools/${segment(id)}`, { ...options, body }),
  /** Delete a RAG tool. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/rag-tools/${segment(id)}`, options).then(() => {}),
  /**
   * Query a RAG tool. Finds passages and answers from them. Every `[n]` in the answer has a citation with a literal
   * quote from the result. Permission: `write-configuration`.
   */
  query: (id: string, body: RequestBody<'/rag-tools/{id}/query', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/rag-tools/{id}/query', 'post'>>('POST', `/rag-tools/${segment(id)}/query`, { ...options, body }),
})

export const retrievalTools = (http: Http) => ({
  /** List retrieval tools. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/retrieval-tools', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/retrieval-tools'>>(http, '/retrieval-tools', query, options),
  /** Create a retrieval tool. Permission: `write-configuration`. */
  create: (body: RequestBody<'/retrieval-tools', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/retrieval-tools', 'post'>>('POST', '/retrieval-tools', { ...options, body }),
  /** Get a retrieval tool. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/retrieval-tools/{id}', 'get'>>('GET', `/retrieval-tools/${segment(id)}`, options),
  /** Update a retrieval tool. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/retrieval-tools/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/retrieval-tools/{id}', 'put'>>('PUT', `/retrieval-tools/${segment(id)}`, { ...options, body }),
  /** Delete a retrieval tool. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/retrieval-tools/${segment(id)}`, options).then(() => {}),
  /** Search with a retrieval tool. Permission: `write-configuration`. */
  search: (id: string, body: RequestBody<'/retrieval-tools/{id}/search', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/retrieval-tools/{id}/search', 'post'>>('POST', `/retrieval-tools/${segment(id)}/search`, { ...options, body }),
  /**
   * Query tables with SQL. One reading statement on the tables of the tool's sources, as agents run it. It takes at
   * most 5 seconds and returns at most 1,000 rows. A result cites the rows of the tables in its outermost FROM clause,
   * in groups all rows of a group; of tables that are read in another place, all rows. Permission:
   * `write-configuration`.
   */
  queryTables: (id: string, body: RequestBody<'/retrieval-tools/{id}/tables/query', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/retrieval-tools/{id}/tables/query', 'post'>>('POST', `/retrieval-tools/${segment(id)}/tables/query`, { ...options, body }),
})

export const reviews = (http: Http) => ({
  /** List reviews. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/reviews', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/reviews'>>(http, '/reviews', query, options),
  /** Create a review. Permission: `write-configuration`. */
  create: (body: RequestBody<'/reviews', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/reviews', 'post'>>('POST', '/reviews', { ...options, body }),
  /** Get a review. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/reviews/{id}', 'get'>>('GET', `/reviews/${segment(id)}`, options),
  /** Update a review. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/reviews/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/reviews/{id}', 'put'>>('PUT', `/reviews/${segment(id)}`, { ...options, body }),
  /**
   * Review a reply. Stores the verdict and ends the review. Sent again, it replaces the verdict. Permission:
   * `write-configuration`.
   */
  decide: (id: string, body: RequestBody<'/reviews/{id}', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/reviews/{id}', 'post'>>('POST', `/reviews/${segment(id)}`, { ...options, body }),
})

export const service = (http: Http) => ({
  /** Get the caller of this token. Permission: `see-status`. */
  me: (options?: RequestOptions) =>
    http.data<ResponseData<'/me', 'get'>>('GET', '/me', options),
  /** Get the status of the service. Permission: `see-status`. */
  status: (options?: RequestOptions) =>
    http.data<ResponseData<'/status', 'get'>>('GET', '/status', options),
})

export const thresholds = (http: Http) => ({
  /** List usage thresholds. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/usage/thresholds', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/usage/thresholds'>>(http, '/usage/thresholds', query, options),
  /** Create a usage threshold. Permission: `administer`. */
  create: (body: RequestBody<'/usage/thresholds', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/usage/thresholds', 'post'>>('POST', '/usage/thresholds', { ...options, body }),
  /** Get a usage threshold. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/usage/thresholds/{id}', 'get'>>('GET', `/usage/thresholds/${segment(id)}`, options),
  /** Update a usage threshold. Permission: `administer`. */
  update: (id: string, body: RequestBody<'/usage/thresholds/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/usage/thresholds/{id}', 'put'>>('PUT', `/usage/thresholds/${segment(id)}`, { ...options, body }),
  /** Delete a usage threshold. Permission: `administer`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/usage/thresholds/${segment(id)}`, options).then(() => {}),
})

export const tokens = (http: Http) => ({
  /** List tokens. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/tokens', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/tokens'>>(http, '/tokens', query, options),
  /** Create a token. Permission: `administer`. */
  create: (body: RequestBody<'/tokens', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/tokens', 'post'>>('POST', '/tokens', { ...options, body }),
  /** Get a token. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/tokens/{id}', 'get'>>('GET', `/tokens/${segment(id)}`, options),
  /** Update a token. Permission: `administer`. */
  update: (id: string, body: RequestBody<'/tokens/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/tokens/{id}', 'put'>>('PUT', `/tokens/${segment(id)}`, { ...options, body }),
  /** Delete a token. Permission: `administer`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/tokens/${segment(id)}`, options).then(() => {}),
})

export const usage = (http: Http) => ({
  /** Tokens and cost by model and by what used them. Permission: `read-configuration`. */
  stats: (query?: RequestQuery<'/usage/stats', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/usage/stats', 'get'>>('GET', '/usage/stats', { ...options, query }),
  /** Cost in total, by model, by what caused it and by day. Permission: `read-configuration`. */
  costs: (query?: RequestQuery<'/usage/costs', 'get'>, options?: RequestOptions) =>
    http.data<ResponseData<'/usage/costs', 'get'>>('GET', '/usage/costs', { ...options, query }),
})

export const userJobs = (http: Http) => ({
  /** List user jobs. Permission: `administer`. */
  list: (query?: RequestQuery<'/user-jobs', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/user-jobs'>>(http, '/user-jobs', query, options),
  /** Get a user job. Permission: `administer`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/user-jobs/{id}', 'get'>>('GET', `/user-jobs/${segment(id)}`, options),
})

export const users = (http: Http) => ({
  /** List users. Permission: `administer`. */
  list: (query?: RequestQuery<'/users', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/users'>>(http, '/users', query, options),
  /** Get a user. Permission: `administer`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/users/{id}', 'get'>>('GET', `/users/${segment(id)}`, options),
  /**
   * List the names of users. Editors choose people from this list, and see names instead of user IDs. The last seen
   * come first. Permission: `write-configuration`.
   */
  names: (query?: RequestQuery<'/users/names', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/users/names'>>(http, '/users/names', query, options),
  /**
   * Export everything of a person. Starts a job that writes one ZIP archive: conversations with all messages, files,
   * feedback, tokens without secrets, usage by month and audit entries. `GET /user-jobs/{id}` shows when it is done.
   * Permission: `administer`.
   */
  export: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/users/{id}/export', 'post'>>('POST', `/users/${segment(id)}/export`, options),
  /**
   * Erase everything of a person. Starts a job that cannot be undone. It cancels running replies, deletes
   * conversations, files, tokens and sessions, and replaces the person by a keyed hash in the usage ledger and the
   * audit log. The job with its receipt is kept: `GET /user-jobs/{id}`. Permission: `administer`.
   */
  erase: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/users/{id}/erase', 'post'>>('POST', `/users/${segment(id)}/erase`, options),
})

export const schedules = (http: Http) => ({
  /** List schedules. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/schedules', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/schedules'>>(http, '/schedules', query, options),
  /** Create a schedule. Permission: `write-configuration`. */
  create: (body: RequestBody<'/schedules', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/schedules', 'post'>>('POST', '/schedules', { ...options, body }),
  /** Get a schedule. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/schedules/{id}', 'get'>>('GET', `/schedules/${segment(id)}`, options),
  /** Update a schedule. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/schedules/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/schedules/{id}', 'put'>>('PUT', `/schedules/${segment(id)}`, { ...options, body }),
  /** Delete a schedule. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/schedules/${segment(id)}`, options).then(() => {}),
  /** List the runs of a schedule. Permission: `read-configuration`. */
  runs: (id: string, query?: RequestQuery<'/schedules/{id}/runs', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/schedules/{id}/runs'>>(http, `/schedules/${segment(id)}/runs`, query, options),
  /**
   * Run a schedule now. The run obeys `overlap`, so it may be queued or skipped. Due times stay as they are.
   * Permission: `write-configuration`.
   */
  run: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/schedules/{id}/run', 'post'>>('POST', `/schedules/${segment(id)}/run`, options),
  /** Preview the times of a cron expression. Permission: `read-configuration`. */
  preview: (body: RequestBody<'/schedules/preview', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/schedules/preview', 'post'>>('POST', '/schedules/preview', { ...options, body }),
})

export const triggers = (http: Http) => ({
  /** List triggers. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/triggers', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/triggers'>>(http, '/triggers', query, options),
  /** Create a trigger. Permission: `write-configuration`. */
  create: (body: RequestBody<'/triggers', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/triggers', 'post'>>('POST', '/triggers', { ...options, body }),
  /** Get a trigger. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/triggers/{id}', 'get'>>('GET', `/triggers/${segment(id)}`, options),
  /** Update a trigger. Permission: `write-configuration`. */
  update: (id: string, body: RequestBody<'/triggers/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/triggers/{id}', 'put'>>('PUT', `/triggers/${segment(id)}`, { ...options, body }),
  /** Delete a trigger. Permission: `write-configuration`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/triggers/${segment(id)}`, options).then(() => {}),
  /**
   * Rotate the secret of a trigger. Only this response contains the new secret. The old one stays valid for 24 hours.
   * Permission: `write-configuration`.
   */
  rotateSecret: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/triggers/{id}/rotate-secret', 'post'>>('POST', `/triggers/${segment(id)}/rotate-secret`, options),
  /** List the runs of a trigger. Permission: `read-configuration`. */
  runs: (id: string, query?: RequestQuery<'/triggers/{id}/runs', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/triggers/{id}/runs'>>(http, `/triggers/${segment(id)}/runs`, query, options),
})

export const webhooks = (http: Http) => ({
  /** List webhooks. Permission: `read-configuration`. */
  list: (query?: RequestQuery<'/webhooks', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/webhooks'>>(http, '/webhooks', query, options),
  /** Create a webhook. Permission: `administer`. */
  create: (body: RequestBody<'/webhooks', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/webhooks', 'post'>>('POST', '/webhooks', { ...options, body }),
  /** Get a webhook. Permission: `read-configuration`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/webhooks/{id}', 'get'>>('GET', `/webhooks/${segment(id)}`, options),
  /** Update a webhook. Permission: `administer`. */
  update: (id: string, body: RequestBody<'/webhooks/{id}', 'put'>, options?: RequestOptions) =>
    http.data<ResponseData<'/webhooks/{id}', 'put'>>('PUT', `/webhooks/${segment(id)}`, { ...options, body }),
  /** Delete a webhook. Permission: `administer`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/webhooks/${segment(id)}`, options).then(() => {}),
  /**
   * Send a test event. Sends `webhook.test` immediately, whatever events the webhook has, and returns the delivery.
   * Permission: `administer`.
   */
  test: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/webhooks/{id}/test', 'post'>>('POST', `/webhooks/${segment(id)}/test`, options),
  /**
   * Rotate the secret of a webhook. Only this response contains the new secret. Deliveries are also signed with the old
   * one for 24 hours. Permission: `administer`.
   */
  rotateSecret: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/webhooks/{id}/rotate-secret', 'post'>>('POST', `/webhooks/${segment(id)}/rotate-secret`, options),
  /** List the deliveries of a webhook. Permission: `read-configuration`. */
  deliveries: (id: string, query?: RequestQuery<'/webhooks/{id}/deliveries', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/webhooks/{id}/deliveries'>>(http, `/webhooks/${segment(id)}/deliveries`, query, options),
  /**
   * Redeliver an event. Sends it immediately with the same `webhook-id`, then retries on the usual schedule.
   * Permission: `administer`.
   */
  redeliver: (id: string, delivery: string, options?: RequestOptions) =>
    http.data<ResponseData<'/webhooks/{id}/deliveries/{delivery}/redeliver', 'post'>>('POST', `/webhooks/${segment(id)}/deliveries/${segment(delivery)}/redeliver`, options),
})

export const workspaces = (http: Http) => ({
  /** List workspaces. Permission: `manage-workspaces`. */
  list: (query?: RequestQuery<'/workspaces', 'get'>, options?: RequestOptions) =>
    paginate<ListRow<'/workspaces'>>(http, '/workspaces', query, options),
  /** Create a workspace. Permission: `manage-workspaces`. */
  create: (body: RequestBody<'/workspaces', 'post'>, options?: RequestOptions) =>
    http.data<ResponseData<'/workspaces', 'post'>>('POST', '/workspaces', { ...options, body }),
  /** Get a workspace. Permission: `manage-workspaces`. */
  get: (id: string, options?: RequestOptions) =>
    http.data<ResponseData<'/workspaces/{id}', 'get'>>('GET', `/workspaces/${segment(id)}`, options),
  /** Delete a workspace. Permission: `manage-workspaces`. */
  delete: (id: string, options?: RequestOptions) =>
    http.json<unknown>('DELETE', `/workspaces/${segment(id)}`, options).then(() => {}),
})
