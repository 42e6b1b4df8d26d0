import type { Parley } from '../client.ts'
import { labelIdentity, labelResource, labelShape } from './labels.ts'
import type { Fields, Resource, Shape } from './resource.ts'

export type { Fields } from './resource.ts'

export type Section =
  | 'models'
  | 'prompt_templates'
  | 'knowledge_sources'
  | 'api_tools'
  | 'rag_tools'
  | 'retrieval_tools'
  | 'agents'
  | 'evaluations'
  | 'schedules'
  | 'triggers'
  | 'thresholds'
  | 'webhooks'
  | 'monitors'
  | 'labels'
  | 'experiments'

export interface Reference {
  /** The field of the API, which has an id. The file has a name. */
  api: string
  many?: true
  /** The sections that it may refer to. Null: the value is not a reference. */
  to(fields: Fields): readonly Target[] | null
  /** Values that are not names. */
  except?: readonly string[]
}

/** Tokens are named by thresholds, but are not in the file: their secrets are shown once. */
export type Target = Section | 'tokens'

export interface Kind {
  section: Section
  /** One of them, in messages. */
  noun: string
  /** The schema of a new one in the API description, or its own. */
  shape: string | { fields: Shape; required: string[] }
  /** The field that identifies it. */
  identity: 'name' | 'url' | 'label'
  /** Left out: the value of that field. */
  identify?(fields: Fields): string
  /** Whether rows of lists have all fields. */
  isListedWhole: boolean
  /** By field of the file. */
  references: Record<string, Reference>
  /** Fields that keep their value if the file does not have them, in addition to derived ones. */
  kept?: readonly string[]
  /** Fields that cannot be changed. */
  fixed?: readonly string[]
  of(client: Parley): Resource
}

const tools: readonly Target[] = ['api_tools', 'rag_tools', 'retrieval_tools']
const one = (api: string, ...to: Target[]): Reference => ({ api, to: () => to })
const many = (api: string, ...to: Target[]): Reference => ({ api, many: true, to: () => to })

const targets: Record<string, Target> = {
  agent: 'agents',
  model: 'models',
  rag_tool: 'rag_tools',
  retrieval_tool: 'retrieval_tools',
  token: 'tokens',
}

/** The section that the value of a field means, such as `type` of an evaluation. */
const byField = (api: string, field: string): Reference => ({
  api,
  to(fields) {
    const target = targets[String(fields[field])]
    return target === undefined ? null : [target]
  },
})

/** In the order of creation: referenced kinds come first. */
export const kinds: readonly Kind[] = [
  {
    section: 'models',
    noun: 'model',
    shape: 'NewModel',
    identity: 'name',
    isListedWhole: true,
    references: {},
    kept: ['is_default'],
    fixed: ['type'],
    of: (client) => client.models as unknown as Resource,
  },
  {
    section: 'prompt_templates',
    noun: 'prompt template',
    shape: 'NewPromptTemplate',
    identity: 'name',
    isListedWhole: true,
    references: {},
    of: (client) => client.promptTemplates as unknown as Resource,
  },
  {
    section: 'knowledge_sources',
    noun: 'knowledge source',
    shape: 'NewKnowledgeSource',
    identity: 'name',
    isListedWhole: false,
    references: {},
    fixed: ['type'],
    of: (client) => client.knowledgeSources as unknown as Resource,
  },
  {
    section: 'api_tools',
    noun: 'API tool',
    shape: 'NewApiTool',
    identity: 'name',
    isListedWhole: true,
    references: {},
    of: (client) => client.apiTools as unknown as Resource,
  },
  {
    section: 'rag_tools',
    noun: 'RAG tool',
    shape: 'NewRagTool',
    identity: 'name',
    isListedWhole: true,
    references: {
      knowledge_source: one('knowledge_source_id', 'knowledge_sources'),
      embedding_model: one('embedding_model', 'models'),
      model: one('model_id', 'models'),
    },
    of: (client) => client.ragTools as unknown as Resource,
  },
  {
    section: 'retrieval_tools',
    noun: 'retrieval tool',
    shape: 'NewRetrievalTool',
    identity: 'name',
    isListedWhole: true,
    references: {
      knowledge_sources: many('knowledge_source_ids', 'knowledge_sources'),
      embedding_model: one('embedding_model', 'models'),
      rerank: { ...one('rerank', 'models'), except: ['none', 'mmr'] },
    },
    of: (client) => client.retrievalTools as unknown as Resource,
  },
  {
    section: 'agents',
    noun: 'agent',
    shape: 'NewAgent',
    identity: 'name',
    isListedWhole: false,
    references: {
      model: one('model_id', 'models'),
      fallback_models: many('fallback_model_ids', 'models'),
      prompt_template: one('prompt_template_id', 'prompt_templates'),
      tools: many('tools', ...tools, 'agents'),
      handoffs: many('handoffs', 'agents'),
      tool_choice: { ...one('tool_choice', ...tools, 'agents'), except: ['auto', 'none', 'required'] },
    },
    of: (client) => client.agents as unknown as Resource,
  },
  {
    section: 'evaluations',
    noun: 'evaluation',
    shape: 'NewEvaluation',
    identity: 'name',
    isListedWhole: false,
    references: { target: byField('target_id', 'type') },
    of: (client) => client.evaluations as unknown as Resource,
  },
  {
    section: 'schedules',
    noun: 'schedule',
    shape: 'NewSchedule',
    identity: 'name',
    isListedWhole: true,
    references: { approved_tools: many('approved_tools', ...tools) },
    of: (client) => client.schedules as unknown as Resource,
  },
  {
    section: 'triggers',
    noun: 'trigger',
    shape: 'NewTrigger',
    identity: 'name',
    isListedWhole: true,
    references: { agent: one('agent_id', 'agents') },
    of: (client) => client.triggers as unknown as Resource,
  },
  {
    section: 'thresholds',
    noun: 'threshold',
    shape: 'NewUsageThreshold',
    identity: 'name',
    isListedWhole: true,
    references: { entity: byField('entity_id', 'entity_type') },
    of: (client) => client.usage.thresholds as unknown as Resource,
  },
  {
    section: 'webhooks',
    noun: 'webhook',
    shape: 'NewWebhook',
    identity: 'url',
    isListedWhole: true,
    references: {},
    of: (client) => client.webhooks as unknown as Resource,
  },
  {
    section: 'monitors',
    noun: 'monitor',
    shape: 'NewMonitor',
    identity: 'name',
    isListedWhole: true,
    references: { agent: one('agent_id', 'agents') },
    of: (client) => client.monitors as unknown as Resource,
  },
  {
    section: 'labels',
    noun: 'label',
    shape: { fields: labelShape, required: ['label', 'version'] },
    identity: 'label',
    identify: labelIdentity,
    isListedWhole: true,
    references: {
      agent: one('agent_id', 'agents'),
      prompt_template: one('prompt_template_id', 'prompt_templates'),
      gate: one('gate', 'evaluations'),
    },
    of: labelResource,
  },
  {
    section: 'experiments',
    noun: 'experiment',
    shape: 'NewExperiment',
    identity: 'name',
    isListedWhole: true,
    references: { agent: one('agent_id', 'agents') },
    of: (client) => client.experiments as unknown as Resource,
  },
]

/** The resources of a section. A file that was not validated may have anything there. */
export const resourcesIn = (file: Fields, section: Section): Fields[] => {
  const value = file[section]
  return Array.isArray(value) ? value.filter(isFields) : []
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const findKind = (section: Section): Kind => kinds.find((kind) => kind.section === section) as Kind

/** The sections whose resources have scorers. */
export const hasScorers = (section: Section): boolean => section === 'evaluations' || section === 'monitors'

/** The model of a judge and the tool that should be called, in `config` of a scorer. */
export const scorerReferences: Record<string, { field: string; reference: Reference; isOptional?: true }> = {
  llm_judge: { field: 'model', reference: one('model_id', 'models') },
  // May also be the name of a tool of an MCP server, which is no resource.
  tool_called: { field: 'tool', reference: one('tool', ...tools), isOptional: true },
}

/** The resource of the action of a schedule, by its type. */
export const actionReferences: Record<string, { field: string; reference: Reference }> = {
  message: { field: 'agent', reference: one('agent_id', 'agents') },
  sync: { field: 'knowledge_source', reference: one('knowledge_source_id', 'knowledge_sources') },
  evaluation: { field: 'evaluation', reference: one('evaluation_id', 'evaluations') },
}
