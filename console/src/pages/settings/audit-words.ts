/** The kinds of resources by their names in the API, with those of the console. */
export const kinds: Record<string, string> = {
  agent: 'agent',
  model: 'model',
  'prompt template': 'prompt',
  'knowledge source': 'knowledge source',
  'RAG tool': 'answer tool',
  'retrieval tool': 'search tool',
  'API tool': 'API tool',
  tool: 'tool of an MCP client',
  'tool call': 'tool call',
  conversation: 'conversation',
  response: 'response',
  memory: 'memory',
  'memory settings': 'memory settings',
  approval: 'approval',
  file: 'file',
  evaluation: 'evaluation',
  experiment: 'experiment',
  monitor: 'monitor',
  review: 'review',
  schedule: 'schedule',
  trigger: 'trigger',
  'usage threshold': 'budget',
  webhook: 'webhook',
  token: 'token',
  session: 'session',
  invitation: 'invitation',
  connection: 'connected account',
  client: 'MCP client',
  user: 'person',
  workspace: 'workspace',
}

/** The name of a kind in the console, beside the API's where they differ. */
export const kindLabel = (kind: string): string => {
  const name = kinds[kind] ?? kind
  return name === kind ? kind : `${name} (${kind})`
}

export const actions: Record<string, string> = {
  create: 'Created',
  update: 'Updated',
  delete: 'Deleted',
  restore: 'Restored a version of',
  label: 'Labelled a version of',
  unlabel: 'Removed a label of',
  cancel: 'Cancelled',
  approve: 'Approved',
  refuse: 'Refused',
  expire: 'Let expire',
  allow: 'Allowed',
  connect: 'Connected',
  accept: 'Accepted',
  export: 'Exported',
  erase: 'Erased',
  call: 'Called',
  join: 'Wrote in',
  run: 'Ran',
  start: 'Started',
  stop: 'Stopped',
  promote: 'Promoted a variant of',
  sync: 'Synced',
  'create document': 'Added documents to',
  'update document': 'Changed a document of',
  'delete document': 'Deleted a document of',
  'sync document': 'Read a document again of',
  test: 'Tested',
  refresh: 'Refreshed tools of',
  redeliver: 'Redelivered an event of',
  'rotate-secret': 'Rotated the secret of',
  'sign in': 'Signed in',
  'sign out': 'Signed out',
  'sign out everywhere': 'Signed out everywhere',
}

const pages: Record<string, string> = {
  agt: '/agents',
  tpl: '/prompts',
  src: '/knowledge',
  rag: '/tools',
  ret: '/tools',
  api: '/tools',
  cnv: '/conversations',
  evl: '/evaluations',
  exp: '/experiments',
  mon: '/monitors',
  sch: '/schedules',
  trg: '/triggers',
  whk: '/webhooks',
  usr: '/people',
}

/** The page of a resource, if it has one. */
export function findPage(id: string): string | undefined {
  const page = pages[id.split('_', 1)[0] ?? '']
  return page && `${page}/${id}`
}
