import type { Feature } from '../kernel/feature.ts'
import { agents } from './agents/index.ts'
import { analytics } from './analytics/index.ts'
import { apiTools } from './api-tools/index.ts'
import { audit } from './audit/index.ts'
import { automations } from './automations/index.ts'
import { conversations } from './conversations/index.ts'
import { demo } from './demo/index.ts'
import { documentation } from './documentation/index.ts'
import { evaluations } from './evaluations/index.ts'
import { experiments } from './experiments/index.ts'
import { health } from './health/index.ts'
import { indexes } from './indexes/index.ts'
import { invitations } from './invitations/index.ts'
import { knowledgeSources } from './knowledge-sources/index.ts'
import { knowledgeTools } from './knowledge-tools/index.ts'
import { labels } from './labels/index.ts'
import { mcpServer } from './mcp-server/index.ts'
import { memories } from './memories/index.ts'
import { models } from './models/index.ts'
import { monitors } from './monitors/index.ts'
import { oauth } from './oauth/index.ts'
import { openaiApi } from './openai-api/index.ts'
import { people } from './people/index.ts'
import { promptTemplates } from './prompt-templates/index.ts'
import { reviews } from './reviews/index.ts'
import { runs } from './runs/index.ts'
import { search } from './search/index.ts'
import { sessions } from './sessions/index.ts'
import { status } from './status/index.ts'
import { tokens } from './tokens/index.ts'
import { usage } from './usage/index.ts'
import { webhooks } from './webhooks/index.ts'
import { workspaces } from './workspaces/index.ts'

/** Everything the service can do. The order is the order of dependence: a feature imports only from those before it. */
export const features: Feature[] = [
  health,
  workspaces,
  tokens,
  sessions,
  webhooks,
  usage,
  models,
  knowledgeSources,
  indexes,
  knowledgeTools,
  promptTemplates,
  apiTools,
  agents,
  memories,
  runs,
  conversations,
  analytics,
  audit,
  evaluations,
  labels,
  experiments,
  reviews,
  monitors,
  automations,
  search,
  status,
  openaiApi,
  mcpServer,
  oauth,
  people,
  invitations,
  demo,
  documentation,
]
