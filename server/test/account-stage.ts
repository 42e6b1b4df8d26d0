import { expect } from 'vitest'
import { type Json, until } from './harness.ts'
import { mcpServer } from './mcp-server.ts'
import { consent, oauthServer } from './oauth-server.ts'
import { mayCallLoopback, scriptedApi } from './scripted-api.ts'
import { type Stage, stage } from './stage.ts'

type Behaviour = Parameters<typeof oauthServer>[0]

/** An agent with a tool that reads the calendar of the person who asks. */
export async function withCalendar(
  behaviour: Behaviour = {},
  more: { auth?: object; tool?: object; start?: object; callScope?: string } = {},
) {
  const oauth = await oauthServer(behaviour)
  const readScopes = (authorization = '') =>
    oauth.access.get(authorization.replace('Bearer ', ''))?.scope.split(' ') ?? []
  const api = await scriptedApi(({ headers }) => {
    if (!oauth.accepts(headers.authorization)) return { status: 401, body: { error: 'who?' } }
    const { callScope } = more
    if (callScope === undefined || readScopes(headers.authorization).includes(callScope))
      return { body: { event: 'Lunch' } }
    const challenge = `Bearer error="insufficient_scope", scope="${callScope}"`
    return { status: 403, headers: { 'www-authenticate': challenge } }
  })
  const here = await stage({ deltas: ['Done'] }, { ...mayCallLoopback, ...more.start })
  const made = await here.post('/api-tools', {
    name: 'calendar',
    description: 'Reads the calendar.',
    url: `${api.url}/events`,
    auth: {
      type: 'oauth2',
      client_id: 'parley',
      client_secret: 'the secret of the client',
      authorization_url: `${oauth.url}/authorize`,
      token_url: `${oauth.url}/token`,
      scopes: ['calendar.read'],
      ...more.auth,
    },
    ...more.tool,
  })
  expect(made.status).toBe(201)
  const tool = made.body.data.id
  await here.put(`/agents/${here.agent}`, { tools: [tool] })
  const ask = async (conversation?: string) => {
    here.provider.next({ toolCalls: [{ id: 'c1', name: 'calendar', arguments: '{}' }] })
    const id = conversation ?? (await here.talk())
    const { data } = (await here.say(id, 'What is today?')).body
    const read = async () => (await here.get(`/conversations/${id}/messages/${data.id}`)).body.data
    return {
      id,
      message: data,
      read,
      finished: (status = 'completed', scopes: string[] = []) =>
        until(async () => {
          const reply = await read()
          const link = reply.tool_calls[0]?.connection?.authorize_url ?? ''
          return reply.status === status && scopes.every((scope) => link.includes(scope)) && reply
        }),
    }
  }
  const callback = (url: URL, options: object = {}) =>
    here.get(`${url.pathname}${url.search}`, { token: null, ...options })
  const connect = async (message: Json) => callback(await consent(message.tool_calls[0].connection.authorize_url))
  return { ...here, made: made.body.data, oauth, api, tool, ask, callback, connect }
}

const text = (words: string) => ({ content: [{ type: 'text', text: words }] })
const today = { name: 'today', annotations: { readOnlyHint: true }, run: () => text('Lunch at noon') }

/** An agent with an MCP server that has one tool and uses the account of the person who asks. */
export async function withDiary(
  behaviour: Behaviour = {},
  resource?: string,
  callScope?: string,
  auth: object = {},
  start: object = {},
) {
  const oauth = await oauthServer(behaviour)
  const grants = (authorization = '') => oauth.access.get(authorization.replace('Bearer ', ''))?.scope ?? ''
  const guarded = { ...oauth }
  const server = await mcpServer([today], {
    oauth: guarded,
    ...(resource && { resource }),
    ...(callScope && { callScope: { scope: callScope, grants } }),
  })
  const here = await stage({ deltas: ['Done'] }, { ...mayCallLoopback, ...start })
  const made = await here.post('/api-tools', {
    name: 'diary',
    description: 'The diary.',
    type: 'mcp',
    url: server.url,
    auth: { type: 'oauth2', ...auth },
  })
  const { id: tool } = made.body.data
  await here.put(`/agents/${here.agent}`, { tools: [tool] })
  const open = async (authorizeUrl: string) => {
    const url = await consent(authorizeUrl)
    return here.get(`${url.pathname}${url.search}`, { token: null })
  }
  return { ...here, oauth, guarded, server, tool, open }
}

/** Adds a tool `table_book` that asks the person for a day. Returns the id of its server. */
export async function addQuestion({ post }: Pick<Stage, 'post'>): Promise<string> {
  const requestedSchema = {
    type: 'object',
    properties: {
      day: { type: 'string', title: 'Day', enum: ['monday', 'friday'] },
      people: { type: 'integer', title: 'People', default: 2 },
    },
    required: ['day'],
  }
  const server = await mcpServer([
    {
      name: 'book',
      annotations: { readOnlyHint: true },
      async run(_args, _report, elicit) {
        const answer = await elicit({ mode: 'form', message: 'When shall I book?', requestedSchema })
        return 'resultType' in answer ? answer : text(`Answer: ${JSON.stringify(answer.content ?? answer.action)}`)
      },
    },
  ])
  return (await post('/api-tools', { name: 'table', description: 'T', type: 'mcp', url: server.url })).body.data.id
}

export const asksForDay = (id: string) => ({ toolCalls: [{ id, name: 'table_book', arguments: '{}' }] })
