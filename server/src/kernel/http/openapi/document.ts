import { eventPayloads } from '../../event-payloads.ts'
import { permissions } from '../permissions.ts'
import { secureName } from '../session-cookie.ts'
import { requestHeaders, responseHeaders } from './headers.ts'
import { notification, operation } from './operation.ts'
import { errorSchemas } from './responses.ts'
import type { DocumentedRoute } from './routes.ts'
import type { Components, Json } from './schemas.ts'
import { type Operation, shareParts } from './share.ts'

const description = `
Every path is available under \`/api\` and \`/api/v1\`. Responses are
\`{success, data, message?, pagination?}\`, errors \`{success: false, error, code, request_id, details?}\` (or, with
\`Accept: application/problem+json\`, RFC 9457 problem details). Times are UTC in whole seconds, prices US dollars per
1,000 tokens. Read-only fields in a body are ignored, unknown fields are errors, and \`null\`
clears an optional field. Every POST accepts an \`Idempotency-Key\`; PUT, PATCH and DELETE support \`If-Match\`.`

const tagDescriptions: Record<string, string> = {
  'Health and status': 'Whether the service works, and what it is doing.',
  Workspaces: 'Separate spaces for teams. Nothing in one is visible in another.',
  Tokens: 'Access to the API, each with a role.',
  Users: 'Who was seen in the workspace; export and erasure of everything of one person.',
  Memories: 'Facts that agents remember, and their settings.',
  Invitations: 'Links by which people join: each works once.',
  'Sign-in': 'Sessions of browsers: a cookie instead of a token.',
  Schedules: 'Messages, syncs and evaluations at set times.',
  Triggers: 'Signed webhooks that start or continue conversations.',
  Webhooks: 'Requests that Parley sends when something happens.',
  'Usage and analytics': 'Tokens, cost and time by day, agent, model and user, and budgets that limit them.',
  Models: 'Models that agents and searches use, with their providers and prices.',
  Files: 'Images and documents that messages bring along.',
  'Knowledge sources': 'Files, pages and folders, read into passages that can be searched.',
  'RAG tools': 'Questions to one knowledge source, answered with citations.',
  'Retrieval tools': 'Searches over several knowledge sources.',
  'Prompt templates': 'Prompts with variables and versions, shared by agents.',
  'API tools': 'Requests to other services that agents can make, and MCP servers.',
  Agents: 'A prompt, a model and tools, with versions.',
  Conversations: 'Messages to agents and their replies, whole or streamed.',
  Approvals: 'Tool calls that wait for the decision of a person.',
  Connections: 'Accounts of people, and of the workspace, at the providers of tools.',
  Search: 'Everything in a workspace by name, and conversations by what was said.',
  Audit: 'Who changed what, and when.',
  Evaluations: 'Test cases for agents, models and tools, with scorers and runs to compare.',
  Experiments: 'Versions of an agent compared on real conversations.',
  Monitors: 'Scorers on a sample of the replies to people, within a daily budget.',
  Reviews: 'Replies that people look at: thumbs down, low scores, failures and a sample.',
  'OpenAI-compatible API': 'Agents as models for clients of OpenAI.',
  'MCP server': 'Agents and tools for clients of the Model Context Protocol.',
}

export function openapiDocument(routes: readonly DocumentedRoute[], version: string): Json {
  const components: Components = {
    headers: new Map(Object.entries(responseHeaders)),
    parameters: new Map(Object.entries(requestHeaders)),
    responses: new Map(),
    schemas: new Map(Object.entries(errorSchemas)),
  }
  const paths: Record<string, Record<string, Operation>> = {}
  for (const route of routes) {
    const path = route.url.replace(/:(\w+)/g, '{$1}')
    paths[path] ??= {}
    paths[path][route.method] = operation(route, components)
  }
  shareParts(
    Object.values(paths).flatMap((methods) => Object.values(methods)),
    components,
  )
  const webhooks = Object.fromEntries(
    Object.entries(eventPayloads).map(([type, payload]) => [type, { post: notification(type, payload, components) }]),
  )
  const byName = <T>(entries: Iterable<[string, T]>) =>
    Object.fromEntries([...entries].sort(([a], [b]) => (a < b ? -1 : 1)))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Parley',
      version,
      description: description.trim().replaceAll('\n', ' '),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [...new Set(routes.flatMap((route) => route.schema.tags ?? []))].map((name) => ({
      name,
      description: tagDescriptions[name],
    })),
    'x-permissions': permissions,
    paths: byName(Object.entries(paths)),
    webhooks,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token from /api/tokens, or a JWT of the configured OIDC issuer.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: secureName,
          description:
            'The session of a browser (`POST /api/auth/session`). Over plain http the cookie is named `parley_session`. Only for requests of the same origin with the header `X-Requested-With`. It is extended by use.',
        },
      },
      headers: byName(components.headers),
      parameters: byName(components.parameters),
      responses: byName(components.responses),
      schemas: byName(components.schemas),
    },
  }
}
