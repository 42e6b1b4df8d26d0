/** The routes that the methods of a resource call, by the names of the methods. */
type Names = Record<string, string>

const crudRoutes = (path: string) => ({
  list: `GET ${path}`,
  create: `POST ${path}`,
  get: `GET ${path}/{id}`,
  update: `PUT ${path}/{id}`,
  delete: `DELETE ${path}/{id}`,
})

type Crud = keyof ReturnType<typeof crudRoutes>

const crud = (path: string, ...names: Crud[]): Names => {
  const routes = crudRoutes(path)
  return names.length === 0 ? routes : Object.fromEntries(names.map((name) => [name, routes[name]]))
}

const versions = (path: string): Names => ({
  versions: `GET ${path}/{id}/versions`,
  version: `GET ${path}/{id}/versions/{version}`,
  restore: `POST ${path}/{id}/versions/{version}/restore`,
})

const labels = (path: string): Names => ({
  labels: `GET ${path}/{id}/labels`,
  setLabel: `PUT ${path}/{id}/labels/{label}`,
  deleteLabel: `DELETE ${path}/{id}/labels/{label}`,
})

/** The methods that are one request each. `npm run client` writes them to `src/methods.ts`, with types and comments from openapi.json. */
export const methodNames: Record<string, Names> = {
  agents: { ...crud('/agents'), ...versions('/agents'), ...labels('/agents'), try: 'POST /agents/{id}/try' },
  analytics: { conversations: 'GET /analytics/conversations' },
  apiTools: {
    ...crud('/api-tools'),
    test: 'POST /api-tools/{id}/test',
    tools: 'GET /api-tools/{id}/tools',
    refreshTools: 'POST /api-tools/{id}/tools/refresh',
    acceptTools: 'POST /api-tools/{id}/tools/accept',
    import: 'POST /api-tools/import',
  },
  approvals: { ...crud('/approvals', 'list', 'get'), decide: 'POST /approvals/{id}' },
  audit: { ...crud('/audit', 'list'), verify: 'GET /audit/verify' },
  auth: {
    signIn: 'POST /auth/session',
    session: 'GET /auth/session',
    methods: 'GET /auth/methods',
    settings: 'GET /auth/settings',
    signOut: 'POST /auth/logout',
  },
  connectedClients: crud('/connected-clients', 'list', 'get', 'delete'),
  connections: {
    ...crud('/connections', 'list', 'get', 'delete'),
    connect: 'POST /connections',
    tools: 'GET /connections/tools',
  },
  conversations: {
    ...crud('/conversations'),
    message: 'GET /conversations/{id}/messages/{message}',
    trace: 'GET /conversations/{id}/messages/{message}/trace',
    cancel: 'POST /conversations/{id}/messages/{message}/cancel',
    activate: 'POST /conversations/{id}/messages/{message}/activate',
    feedback: 'POST /conversations/{id}/messages/{message}/feedback',
    messages: 'GET /conversations/{id}/messages',
    totals: 'GET /conversations/{id}/totals',
    complete: 'POST /conversations/{id}/complete',
  },
  evaluations: {
    ...crud('/evaluations'),
    run: 'POST /evaluations/{id}/run',
    runs: 'GET /evaluations/{id}/runs',
    getRun: 'GET /evaluations/{id}/runs/{run}',
    cancelRun: 'POST /evaluations/{id}/runs/{run}/cancel',
    importCases: 'POST /evaluations/{id}/test-cases/import',
    caseFromMessage: 'POST /evaluations/{id}/test-cases/from-message',
    results: 'GET /evaluations/{id}/results',
  },
  experiments: {
    ...crud('/experiments'),
    start: 'POST /experiments/{id}/start',
    stop: 'POST /experiments/{id}/stop',
    promote: 'POST /experiments/{id}/promote',
    results: 'GET /experiments/{id}/results',
  },
  files: crud('/files', 'get', 'delete'),
  knowledgeSources: {
    ...crud('/knowledge-sources'),
    sync: 'POST /knowledge-sources/{id}/sync',
    syncs: 'GET /knowledge-sources/{id}/syncs',
    syncRecord: 'GET /knowledge-sources/{id}/syncs/{sync}',
    documents: 'GET /knowledge-sources/{id}/documents',
    document: 'GET /knowledge-sources/{id}/documents/{document}',
    documentContent: 'GET /knowledge-sources/{id}/documents/{document}/content',
    documentChunks: 'GET /knowledge-sources/{id}/documents/{document}/chunks',
    updateDocument: 'PUT /knowledge-sources/{id}/documents/{document}',
    syncDocument: 'POST /knowledge-sources/{id}/documents/{document}/sync',
    deleteDocument: 'DELETE /knowledge-sources/{id}/documents/{document}',
    search: 'POST /knowledge-sources/{id}/search',
    tables: 'GET /knowledge-sources/{id}/tables',
    table: 'GET /knowledge-sources/{id}/tables/{table}',
  },
  oauth: { consent: 'GET /oauth/consent', decide: 'POST /oauth/consent' },
  invitations: { ...crud('/invitations', 'list', 'create', 'get', 'delete'), accept: 'POST /invitations/accept' },
  models: {
    ...crud('/models'),
    test: 'POST /models/{id}/test',
    available: 'POST /models/available',
    check: 'POST /models/check',
  },
  memories: {
    ...crud('/memories'),
    deleteAll: 'DELETE /memories',
    versions: 'GET /memories/{id}/versions',
    undo: 'POST /memories/{id}/undo',
    settings: 'GET /memory-settings',
    changeSettings: 'PUT /memory-settings',
  },
  monitors: {
    ...crud('/monitors'),
    scores: 'GET /monitors/{id}/scores',
    summary: 'GET /monitors/{id}/summary',
    agreement: 'GET /monitors/{id}/agreement',
  },
  promptTemplates: {
    ...crud('/prompt-templates'),
    ...versions('/prompt-templates'),
    ...labels('/prompt-templates'),
    render: 'POST /prompt-templates/{id}/render',
  },
  ragTools: { ...crud('/rag-tools'), query: 'POST /rag-tools/{id}/query' },
  retrievalTools: {
    ...crud('/retrieval-tools'),
    search: 'POST /retrieval-tools/{id}/search',
    queryTables: 'POST /retrieval-tools/{id}/tables/query',
  },
  reviews: { ...crud('/reviews', 'list', 'create', 'get', 'update'), decide: 'POST /reviews/{id}' },
  service: { me: 'GET /me', status: 'GET /status' },
  thresholds: crud('/usage/thresholds'),
  tokens: crud('/tokens'),
  usage: { stats: 'GET /usage/stats', costs: 'GET /usage/costs' },
  userJobs: crud('/user-jobs', 'list', 'get'),
  users: {
    ...crud('/users', 'list', 'get'),
    names: 'GET /users/names',
    export: 'POST /users/{id}/export',
    erase: 'POST /users/{id}/erase',
  },
  schedules: {
    ...crud('/schedules'),
    runs: 'GET /schedules/{id}/runs',
    run: 'POST /schedules/{id}/run',
    preview: 'POST /schedules/preview',
  },
  triggers: {
    ...crud('/triggers'),
    rotateSecret: 'POST /triggers/{id}/rotate-secret',
    runs: 'GET /triggers/{id}/runs',
  },
  webhooks: {
    ...crud('/webhooks'),
    test: 'POST /webhooks/{id}/test',
    rotateSecret: 'POST /webhooks/{id}/rotate-secret',
    deliveries: 'GET /webhooks/{id}/deliveries',
    redeliver: 'POST /webhooks/{id}/deliveries/{delivery}/redeliver',
  },
  workspaces: crud('/workspaces', 'list', 'create', 'get', 'delete'),
}
