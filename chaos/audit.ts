import { auditLedger } from './audit-ledger.ts'
import type { Json } from './client.ts'
import type { Cluster } from './cluster.ts'
import type { Evidence, Finding } from './evidence.ts'
import { type Acknowledged, budgetLimit } from './load.ts'

/** Compares the responses to clients with the stored data. */
export async function audit(evidence: Evidence): Promise<Finding[]> {
  return [
    ...compareMessages(await storedMessages(evidence.cluster), evidence.acknowledged),
    ...(await auditLedger(evidence)),
    await auditBudget(evidence),
    await auditWebhooks(evidence),
    ...(await auditJobs(evidence)),
    await auditSearch(evidence),
  ]
}

export interface StoredMessage {
  id: string
  conversation_id: string
  role: string
  content: string
  status: string
  superseded: boolean
}

const storedMessages = ({ query }: Cluster): Promise<StoredMessage[]> =>
  query('select id, conversation_id, role, content, status, superseded from message order by id')

export function compareMessages(messages: StoredMessage[], acknowledged: Acknowledged): Finding[] {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const lost: string[] = []
  for (const [id, { marker, status, content }] of acknowledged.replies) {
    const stored = byId.get(id)
    if (stored?.status !== status || stored.content !== content)
      lost.push(`${marker}: acknowledged ${status} "${content}", stored ${stored?.status} "${stored?.content}" (${id})`)
  }
  const questions = messages.filter(({ role }) => role === 'user')
  for (const [marker] of acknowledged.questions)
    if (!questions.some(({ content }) => content === marker)) lost.push(`${marker}: the question is not stored`)
  const doubled = [...acknowledged.sent].flatMap((marker) => {
    const stored = questions.filter(({ content }) => content === marker)
    const count = stored.reduce((sum, question) => sum + repliesTo(messages, question).length, 0)
    return stored.length > 1 || count > 1 ? [`${marker}: ${stored.length} questions, ${count} replies`] : []
  })
  const running = messages.filter(({ status }) => status === 'running').map(({ id }) => id)
  return [
    {
      name: 'acknowledged messages lost',
      checked: acknowledged.replies.size + acknowledged.questions.size,
      faults: lost,
    },
    { name: 'messages doubled', checked: acknowledged.sent.size, faults: doubled },
    { name: 'replies that never end', checked: messages.length - questions.length, faults: running },
  ]
}

/** The replies that count: others were replaced after an interruption. */
function repliesTo(messages: StoredMessage[], question: StoredMessage): StoredMessage[] {
  const inConversation = messages.filter(({ conversation_id }) => conversation_id === question.conversation_id)
  const after = inConversation.slice(inConversation.indexOf(question) + 1)
  const next = after.findIndex(({ role }) => role === 'user')
  return (next < 0 ? after : after.slice(0, next)).filter(({ superseded }) => !superseded)
}

async function auditBudget({ cluster, scene, provider }: Evidence): Promise<Finding> {
  const [{ spent = 0, reserved = 0 } = {}] = await cluster.query<{ spent: string; reserved: string }>(
    'select spent, reserved from usage_window where threshold_id = $1',
    [scene.threshold],
  )
  const [{ sum = 0 } = {}] = await cluster.query<{ sum: string }>(
    'select coalesce(sum(cost_nano), 0) as sum from usage_record where agent_id = $1',
    [scene.agents.capped],
  )
  const calls = provider.calls.filter(({ marker }) => marker.startsWith('#capped'))
  const actual = calls.reduce((total, { input, output }) => total + input * 0.001 + output * 0.002, 0) / 1000
  const faults: string[] = []
  if (Number(sum) / 1e9 > budgetLimit) faults.push(`the ledger has $${Number(sum) / 1e9} of $${budgetLimit}`)
  if (actual > budgetLimit) faults.push(`the provider charges $${actual} of $${budgetLimit}`)
  if (Number(spent) !== Number(sum)) faults.push(`the threshold counts ${spent}, the ledger ${sum}`)
  if (Number(reserved) !== 0) faults.push(`${reserved} stay reserved`)
  return { name: 'budgets overspent', checked: calls.length, faults }
}

async function auditWebhooks({ cluster, acknowledged, receiver }: Evidence): Promise<Finding> {
  const received = [...receiver.events.values()]
  const has = (type: string, field: string, id: string) =>
    received.some((event) => event.type === type && event.data[field] === id)
  const conversations = await cluster.query<{ id: string }>(
    `select id from conversation where status = 'completed' and evaluation_id is null`,
  )
  const stored = new Set(conversations.map(({ id }) => id))
  const runs = await cluster.query<{ id: string }>(`select id from evaluation_run where status = 'completed'`)
  const syncs = await cluster.query<{ id: string }>(`select id from knowledge_sync where status = 'completed'`)
  const faults = [
    ...[...acknowledged.completed].filter((id) => !stored.has(id)).map((id) => `${id} was said to be completed`),
    ...[...stored]
      .filter((id) => !has('conversation.completed', 'conversation_id', id))
      .map((id) => `no event for ${id}`),
    ...runs.filter(({ id }) => !has('evaluation.finished', 'run_id', id)).map(({ id }) => `no event for ${id}`),
    ...syncs
      .filter(({ id }) => !received.some(({ data }) => JSON.stringify(data).includes(id)))
      .map(({ id }) => `no event for ${id}`),
    ...received
      .filter(({ type, data }) => type === 'conversation.completed' && !stored.has(String(data.conversation_id)))
      .map(({ data }) => `an event about ${data.conversation_id}, which is not completed`),
  ]
  return { name: 'webhooks lost', checked: stored.size + runs.length + syncs.length, faults }
}

async function auditJobs({ cluster, acknowledged }: Evidence): Promise<Finding[]> {
  const jobs = await cluster.query<{ id: string; queue: string; status: string; error: string | null }>(
    `select id, queue, status, error from job where key is null or key not like 'every %'`,
  )
  const open = jobs.filter(({ status }) => status !== 'completed' && status !== 'cancelled')
  const runs = await cluster.query<{ id: string; status: string; done: number; total: number }>(
    'select id, status, done, total from evaluation_run',
  )
  const unfinished = [...acknowledged.runs.keys()].flatMap((id) => {
    const run = runs.find((each) => each.id === id)
    return run?.status === 'completed' && run.done === run.total
      ? []
      : [`${id}: ${run?.status}, ${run?.done} of ${run?.total}`]
  })
  return [
    {
      name: 'jobs lost or failed',
      checked: jobs.length,
      faults: open.map(({ id, queue, status, error }) => `${queue} ${id}: ${status} ${error ?? ''}`),
    },
    { name: 'evaluation runs lost', checked: acknowledged.runs.size, faults: unfinished },
  ]
}

/** Every document that was acknowledged is stored once, indexed and found, and nothing else is. */
async function auditSearch({ cluster, client, scene, acknowledged }: Evidence): Promise<Finding> {
  const documents = await cluster.query<{ id: string; name: string; status: string }>(
    'select id, name, status from knowledge_document where knowledge_source_id = $1',
    [scene.source],
  )
  const faults: string[] = []
  for (const [id, { word }] of acknowledged.documents) {
    const document = documents.find((each) => each.id === id)
    if (document?.status !== 'indexed') faults.push(`${id} is ${document?.status}`)
    const answer = await client.post(
      `/rag-tools/${scene.rag}/query`,
      { query: word, answer: false, top_k: 1 },
      `find ${word}`,
    )
    const [first]: Json[] = answer?.body.data?.results ?? []
    if (first?.metadata.document_id !== id) faults.push(`"${word}" does not find ${id}`)
  }
  const names = new Set(documents.map(({ name }) => name))
  if (names.size !== documents.length) faults.push(`${documents.length - names.size} documents are stored twice`)
  const index = (await client.get(`/rag-tools/${scene.rag}`))?.body.data.index
  if (index?.documents !== documents.length)
    faults.push(`the index has ${index?.documents} of ${documents.length} documents`)
  return { name: 'search differs from documents', checked: documents.length, faults }
}
