import { listAims } from '../aims.ts'
import type { Aim } from '../bench.ts'
import { commonWord, rareWord } from './statements.ts'

export interface Filled {
  url: string
  /** The number of conversations, of messages and of model calls. */
  rows: number
  agents: string[]
  /** The token of a user. */
  user: string
  stop(): Promise<void>
}

interface Asked {
  path: string
  /** Another token than the owner's. */
  as?: string
  body?: object
}

export type Request = (n: number, service: Filled) => Asked

const agent = ({ agents }: Filled, n: number) => agents[n % agents.length] as string
const page = ({ rows }: Filled, n: number) => 1 + ((n * 7919) % Math.floor(rows / 25))
/** One that is active and has messages. */
const conversation = ({ rows }: Filled, n: number) => `cnv_${String((n * 79_190) % rows).padStart(12, '0')}`
const latest = '/conversations?limit=25&sort=updated_at'

/** Each should take the same time in a small and in a large workspace. */
export const constant: Record<string, Request> = {
  'conversations of a user': (_, { user }) => ({ path: latest, as: user }),
  'q, a rare word': () => ({ path: `${latest}&q=${rareWord}` }),
  'q, no match': (n) => ({ path: `${latest}&q=nothing${n}` }),
  'a conversation': (n, service) => ({ path: `/conversations/${conversation(service, n)}` }),
  'its messages': (n, service) => ({ path: `/conversations/${conversation(service, n)}/messages` }),
  'a turn': (n, service) => ({
    path: `/conversations/${conversation(service, n)}/messages`,
    body: { message: 'What is there to say?' },
  }),
  'usage of 30 days': () => ({ path: `/usage/stats?${since(30)}` }),
  'analytics of 30 days': () => ({ path: `/analytics/conversations?${since(30)}` }),
}

const usage = (type: string, id: string, report = 'stats') =>
  `/usage/${report}?${since(365)}&entity_type=${type}${id ? `&entity_id=${id}` : ''}`
const analytics = `/analytics/conversations?${since(90)}`
const { list: listAim, anyPage: pageAim, usage: usageAim, analytics: analyticsAim } = listAims

/** These read or count everything in the workspace, so they have a limit of their own. */
export const limited: Record<string, { request: Request; aim: Aim }> = {
  'conversations, newest': { request: () => ({ path: '/conversations' }), aim: listAim },
  'conversations by updated_at': { request: () => ({ path: latest }), aim: listAim },
  'conversations of an agent': {
    request: (n, service) => ({ path: `${latest}&agent_id=${agent(service, n)}` }),
    aim: listAim,
  },
  'conversations of an agent, newest': {
    request: (n, service) => ({ path: `/conversations?agent_id=${agent(service, n)}` }),
    aim: listAim,
  },
  'conversations of a status': {
    request: (n) => ({ path: `${latest}&status=${n % 2 ? 'active' : 'completed'}` }),
    aim: listAim,
  },
  'conversations of an agent and status': {
    request: (n, service) => ({ path: `${latest}&agent_id=${agent(service, n)}&status=active` }),
    aim: listAim,
  },
  'conversations, any page': {
    request: (n, service) => ({ path: `/conversations?limit=25&page=${page(service, n)}` }),
    aim: pageAim,
  },
  'conversations, any page by updated_at': {
    request: (n, service) => ({ path: `${latest}&order=asc&page=${page(service, n)}` }),
    aim: pageAim,
  },
  'q, a word of each twentieth title': { request: () => ({ path: `${latest}&q=${commonWord}` }), aim: listAim },
  'q of an agent': {
    request: (n, service) => ({ path: `${latest}&q=${commonWord}&agent_id=${agent(service, n)}` }),
    aim: listAim,
  },
  status: { request: () => ({ path: '/status' }), aim: listAim },
  'usage of a year': { request: () => ({ path: `/usage/stats?${since(365)}` }), aim: usageAim },
  'usage of a year, a token': { request: () => ({ path: usage('token', 'tok_0') }), aim: usageAim },
  'usage of a year, an agent': {
    request: (_, service) => ({ path: usage('agent', agent(service, 0)) }),
    aim: usageAim,
  },
  'usage of a year, a user': { request: () => ({ path: usage('user', 'user-31') }), aim: usageAim },
  'usage of a year, a model': { request: () => ({ path: usage('model', 'mdl_0') }), aim: usageAim },
  'usage of a year, all users': { request: () => ({ path: usage('user', '') }), aim: usageAim },
  'costs of a year': { request: () => ({ path: `/usage/costs?${since(365)}` }), aim: usageAim },
  'costs of a year, a token': { request: () => ({ path: usage('token', 'tok_0', 'costs') }), aim: usageAim },
  'analytics of a year': { request: () => ({ path: `/analytics/conversations?${since(365)}` }), aim: analyticsAim },
  'analytics of 90 days': { request: () => ({ path: analytics }), aim: analyticsAim },
  'analytics of 90 days, by hour': { request: () => ({ path: `${analytics}&interval=hour` }), aim: analyticsAim },
  'analytics of 90 days, an agent': {
    request: (_, service) => ({ path: `${analytics}&agent_id=${agent(service, 0)}` }),
    aim: analyticsAim,
  },
  'analytics of 90 days, a user': { request: () => ({ path: `${analytics}&user_id=user-31` }), aim: analyticsAim },
}

function since(days: number): string {
  const daysAgo = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString().slice(0, 10)
  return `start_date=${daysAgo(days)}&end_date=${daysAgo(0)}`
}
