import type { Client, Json } from './client.ts'
import { longPrompt } from './provider.ts'
import type { Random } from './random.ts'
import { streamMessage } from './stream.ts'
import { pause } from './wait.ts'

/** Everything that the service has acknowledged to clients, for the audit. */
export interface Acknowledged {
  /** Replies as they were shown: by message. */
  replies: Map<string, { marker: string; conversation: string; status: string; content: string }>
  /** Questions that were certainly accepted, because a reply to them was shown or began. */
  questions: Map<string, { conversation: string }>
  /** All questions that were sent. */
  sent: Set<string>
  completed: Set<string>
  documents: Map<string, { word: string }>
  runs: Map<string, { evaluation: string }>
  refusedByBudget: number
  unanswered: number
}

export const nothingAcknowledged = (): Acknowledged => ({
  replies: new Map(),
  questions: new Map(),
  sent: new Set(),
  completed: new Set(),
  documents: new Map(),
  runs: new Map(),
  refusedByBudget: 0,
  unanswered: 0,
})

/** The resources that the load uses. */
export interface Scene {
  model: string
  /** With tools, without, and with a budget. */
  agents: { tools: string; plain: string; capped: string }
  threshold: string
  source: string
  rag: string
}

export const budgetLimit = 0.02

/** Created before the faults begin. */
export async function createResources(client: Client, providerUrl: string, receiverUrl: string): Promise<Scene> {
  let keys = 0
  const make = async (path: string, body: object): Promise<string> => {
    const answer = await client.post(path, body, `scene ${keys++}`)
    if (answer?.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer?.body)}`)
    return answer.body.data.id
  }
  const model = await make('/models', {
    name: 'Counting',
    provider: 'openai-compatible',
    model_id: 'counting',
    endpoint: providerUrl,
    pricing: { input: 0.001, output: 0.002 },
    is_default: true,
  })
  const tool = (name: string, requires_approval: boolean) =>
    make('/api-tools', { name, description: 'Answers', method: 'GET', url: `${receiverUrl}/tool`, requires_approval })
  const tools = [await tool('quick', false), await tool('careful', true)]
  const agent = (name: string, more: object = {}) =>
    make('/agents', { name, model_id: model, system_prompt: longPrompt, max_tokens: 64, ...more })
  const agents = { tools: await agent('Tools', { tools }), plain: await agent('Plain'), capped: await agent('Capped') }
  const threshold = await make('/usage/thresholds', {
    name: 'Cap',
    entity_type: 'agent',
    entity_id: agents.capped,
    metric: 'cost',
    limit: budgetLimit,
    window: 'total',
    action: 'block',
  })
  await make('/webhooks', { url: `${receiverUrl}/hook`, events: ['*'] })
  const source = await make('/knowledge-sources', { name: 'Papers', type: 'file' })
  const rag = await make('/rag-tools', { name: 'Search', knowledge_source_id: source, model_id: model })
  return { model, agents, threshold, source, rag }
}

const kinds = ['whole', 'stream', 'stream', 'tool', 'approval', 'cancel', 'capped', 'chat', 'answer'] as const
type Kind = (typeof kinds)[number]

export interface Load {
  client: Client
  scene: Scene
  acknowledged: Acknowledged
  random: Random
  isOver(): boolean
}

/** One user, who talks until the load is over. */
export async function converse(load: Load, user: number): Promise<void> {
  const { client, scene, acknowledged, random } = load
  for (let n = 0; !load.isOver(); n++) {
    const kind = random.pick(kinds)
    const name = `${user}-${n}`
    if (kind === 'chat' || kind === 'answer') {
      await askOnce(load, kind, name)
      continue
    }
    const agent = kind === 'capped' ? scene.agents.capped : scene.agents[isToolKind(kind) ? 'tools' : 'plain']
    const created = await client.post('/conversations', { agent_id: agent }, `conversation ${name}`)
    if (created?.status !== 201) continue
    const conversation: string = created.body.data.id
    for (let message = 0; message < 1 + (n % 3) && !load.isOver(); message++)
      await say(load, conversation, kind, `#${kind}-${name}-${message}`)
    const done = await client.post(`/conversations/${conversation}/complete`, undefined, `complete ${name}`)
    if (done?.status === 200) acknowledged.completed.add(conversation)
  }
}

const isToolKind = (kind: Kind): boolean => kind === 'tool' || kind === 'approval'

async function say(load: Load, conversation: string, kind: Kind, marker: string): Promise<void> {
  const { client, acknowledged } = load
  acknowledged.sent.add(marker)
  if (kind === 'stream' || kind === 'cancel') {
    const streamed = await streamMessage(client, conversation, marker, `key ${marker}`, (messageId) => {
      acknowledged.questions.set(marker, { conversation })
      if (kind === 'cancel')
        void client.post(`/conversations/${conversation}/messages/${messageId}/cancel`, {}, `cancel ${messageId}`)
    })
    if (!streamed?.end) acknowledged.unanswered++
    else recordReply(acknowledged, marker, conversation, streamed.end.message)
    return
  }
  const answer = await client.post(`/conversations/${conversation}/messages`, { message: marker }, `key ${marker}`)
  if (answer?.status === 403) acknowledged.refusedByBudget++
  else if (answer?.status !== 200) acknowledged.unanswered++
  else if (answer.body.data.status === 'awaiting_approval') await approve(load, conversation, marker, answer.body.data)
  else recordReply(acknowledged, marker, conversation, answer.body.data)
}

async function approve(
  { client, acknowledged }: Load,
  conversation: string,
  marker: string,
  reply: Json,
): Promise<void> {
  acknowledged.questions.set(marker, { conversation })
  const [call] = reply.tool_calls
  const path = `/conversations/${conversation}/messages/${reply.id}/approvals`
  const answer = await client.post(path, { tool_call_id: call.id, approved: true }, `approve ${marker}`)
  if (answer?.status === 200 && answer.body.data.status !== 'running')
    recordReply(acknowledged, marker, conversation, answer.body.data)
  else acknowledged.unanswered++
}

function recordReply(acknowledged: Acknowledged, marker: string, conversation: string, reply: Json): void {
  acknowledged.questions.set(marker, { conversation })
  acknowledged.replies.set(reply.id, { marker, conversation, status: reply.status, content: reply.content })
}

/** A model call outside of a conversation, of which only the usage is stored. */
async function askOnce({ client, scene, acknowledged }: Load, kind: 'chat' | 'answer', name: string): Promise<void> {
  const marker = `#${kind}-${name}`
  const answer =
    kind === 'chat'
      ? await client.post(
          '/openai/v1/chat/completions',
          { model: scene.agents.plain, messages: [{ role: 'user', content: marker }] },
          `key ${marker}`,
        )
      : await client.post(`/rag-tools/${scene.rag}/query`, { query: `papers ${marker}` }, `key ${marker}`)
  if (answer?.status !== 200) acknowledged.unanswered++
}

/** Uploads a document every few seconds. */
export async function upload({ client, scene, acknowledged, isOver }: Load): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const word = `unique${n}word`
    const form = () => {
      const data = new FormData()
      data.append('file', new Blob([`# Papers\n\nThe ${word} is written here, in the papers.`]), `paper-${n}.md`)
      return data
    }
    const answer = await client.ask('POST', `/knowledge-sources/${scene.source}/documents`, {
      form,
      key: `upload ${n}`,
    })
    if (answer?.status === 201) acknowledged.documents.set(answer.body.data[0].id, { word })
    await pause(1500)
  }
}

/** Runs a new evaluation every few seconds. */
export async function evaluate({ client, scene, acknowledged, isOver }: Load): Promise<void> {
  for (let n = 0; !isOver(); n++) {
    const test_cases = Array.from({ length: 6 }, (_, at) => ({
      input: `#case-${n}-${at}`,
      expected_output: `#case-${n}-${at}`,
    }))
    const body = { name: `Eval ${n}`, type: 'agent', target_id: scene.agents.plain, test_cases }
    const made = await client.post('/evaluations', { ...body, scorers: [{ type: 'contains' }] }, `evaluation ${n}`)
    const evaluation = made?.body.data?.id
    const started = evaluation && (await client.post(`/evaluations/${evaluation}/run`, undefined, `run ${n}`))
    if (started?.status === 200 || started?.status === 201) acknowledged.runs.set(started.body.data.id, { evaluation })
    await pause(5000)
  }
}
