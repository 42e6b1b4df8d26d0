import { createFile } from './attachments.ts'
import { evaluating } from './evaluating.ts'
import { type Json, type Service, until } from './harness.ts'
import { knowledge } from './knowledge.ts'
import type { RecordedRequest, Script } from './scripted-provider.ts'
import { stageOn } from './stage.ts'

/** Every name, description and content of what is hidden has a word that begins with this. No id can contain it. */
export const marker = 'lilu'

/** Searches with its first tool, and then says little, so that only citations and results show what was found. */
function searching({ body }: RecordedRequest): Script {
  const { messages, tools = [] } = body as { messages: Json[]; tools?: Json[] }
  if (messages.at(-1).role === 'tool' || tools.length === 0) return { deltas: ['This is known [1].'] }
  const calls = tools.map((tool, at) => ({
    id: `call_${messages.length}_${at}`,
    name: tool.function.name,
    arguments: '{"query":"zebra salary review"}',
  }))
  return { toolCalls: calls }
}

/**
 * A workspace with something visible and something hidden of each kind. Hidden is what is only for the group `hr`, and what
 * Ada of that group has done.
 */
export async function secretCompany(service: Service) {
  const here = await stageOn(service, searching)
  const { post, put, get } = here
  const made = async (path: string, body: object, more = {}): Promise<Json> => {
    const answer = await post(path, body, more)
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.body.data ?? answer.body
  }
  const access = { groups: ['hr'] }
  const createToken = (role: string, user_id: string, groups: string[] = []): Promise<{ id: string; token: string }> =>
    made('/tokens', { name: user_id, role, user_id, groups })
  const ada = await createToken('user', 'ada', ['hr'])

  const { make, upload, documents } = knowledge(here)
  const source = await make({ name: 'Open', access_rules: [{ path: 'lilurule*', access }] })
  const closedSource = await make({ name: 'Lilusource', description: 'lilusourcetext', access })
  const metadata = JSON.stringify({ team: 'liluteam' })
  await upload(source, { 'open.md': 'The zebra canteen opens at seven.' })
  await upload(source, { 'lilurule.md': 'The zebra salary is liluruletext.' })
  await upload(
    source,
    { 'liluown.md': 'The zebra review is liluowntext.' },
    { fields: { access: JSON.stringify(access), metadata } },
  )
  await upload(closedSource, {
    'liluinner.md': 'The zebra salary is liluinnertext.\n\n| Liluname | Pay |\n| --- | --- |\n| Lilurow | 5 |\n',
  })
  const indexed = (id: string, count: number) =>
    until(async () => {
      const found = await documents(id)
      return found.length === count && found.every(({ status }) => status === 'indexed') && found
    })
  const ofOpen = await indexed(source, 3)
  const ofClosed = await indexed(closedSource, 1)
  const findId = (name: string): string => [...ofOpen, ...ofClosed].find((each) => each.name === name).id

  const tool = (await made('/rag-tools', { name: 'Open', knowledge_source_id: source, top_k: 10 })).id
  const search = (await made('/retrieval-tools', { name: 'Open search', knowledge_source_ids: [source], top_k: 10 })).id
  const closedTool = (
    await made('/rag-tools', { name: 'Lilutool', description: 'lilutooltext', knowledge_source_id: closedSource })
  ).id
  const both = { name: 'Lilusearch', description: 'lilusearchtext', knowledge_source_ids: [source, closedSource] }
  const closedSearch = (await made('/retrieval-tools', both)).id
  const { agent, model } = here
  await put(`/agents/${agent}`, { tools: [tool, search, closedTool] })
  const closed = { name: 'Liluagent', description: 'liluagenttext', system_prompt: 'liluprompt', topics: ['lilutopic'] }
  const closedAgent = (await made('/agents', { ...closed, model_id: model, tools: [tool], access })).id

  const action = { type: 'message', agent_id: closedAgent, message: 'liluscheduled' }
  const schedule = (await made('/schedules', { name: 'Liluschedule', cron: '0 0 1 1 *', action })).id
  const trigger = (
    await made('/triggers', { name: 'Lilutrigger', agent_id: closedAgent, template: 'lilutemplate {{body.a}}' })
  ).id

  const hook = (await made('/webhooks', { url: 'https://hooks.invalid/', events: ['*'] })).id
  const threshold = { metric: 'cost', limit: 1, window: 'day', action: 'notify' }
  const limit = { ...threshold, name: 'Lilulimit', entity_type: 'agent', entity_id: closedAgent }
  const ask = async (agent_id: string, title: string) => {
    const id = (await made('/conversations', { agent_id, title }, ada)).id
    const reply = await post(`/conversations/${id}/messages`, { message: 'What is liluquestion?' }, ada)
    if (reply.status !== 200) throw new Error(JSON.stringify(reply.body))
    return { id: id as string, message: reply.body.data.id as string }
  }
  const own = await ask(agent, 'Lilutalk')
  const withClosed = await ask(closedAgent, 'Liluclosedtalk')
  await put(`/conversations/${withClosed.id}`, { shared: true }, ada)
  await post(`/conversations/${withClosed.id}/complete`, undefined, ada)
  const file = await createFile(here, 'lilufile.txt', 'lilufiletext', ada)
  const response = (await post('/openai/v1/responses', { model: closedAgent, input: 'Tell me liluinput' }, ada)).body.id

  const scorers = [{ type: 'contains', config: { values: ['lilupart'] } }]
  const monitor = (await made('/monitors', { name: 'Lilumonitor', agent_id: closedAgent, scorers })).id
  const review = (await made('/reviews', { message_id: withClosed.message })).id

  const { create, run, ended } = evaluating(here)
  const cases = { test_cases: [{ input: 'lilucase', expected_output: 'known' }], scorers: [{ type: 'contains' }] }
  const evaluation = await create({ name: 'Liluevaluation', type: 'agent', target_id: closedAgent, ...cases })
  const finished = await run(evaluation)
  await ended(evaluation, finished)
  const partial = await create({ name: 'Lilupartial', type: 'rag_tool', target_id: tool, ...cases })

  await ended(partial, await run(partial))

  const api = { name: 'send', description: 'D', url: 'https://example.com/', requires_approval: true }
  await put(`/agents/${closedAgent}`, { tools: [(await made('/api-tools', api)).id] })
  const variants = [1, 2].map((version) => ({ version, weight: 1 }))
  const compared = { name: 'Liluexperiment', agent_id: closedAgent, variants, metric: 'cost' }
  const experiment = (await made('/experiments', compared)).id
  here.provider.next({ toolCalls: [{ id: 'call_a', name: 'send', arguments: '{"to":"liluargument"}' }] })
  const waiting = (await made('/conversations', { agent_id: closedAgent, title: 'Liluwaits' }, ada)).id
  const paused = (await post(`/conversations/${waiting}/messages`, { message: 'Send liluletter' }, ada)).body.data
  const syncs = (await get(`/knowledge-sources/${closedSource}/syncs`)).body.data
  await until(async () => (await get(`/webhooks/${hook}/deliveries`)).body.pagination.total > 1)

  return {
    ...{ ada, createToken, made, source, agent, tool, search, own, hook, model },
    hidden: {
      agent: closedAgent as string,
      source: closedSource,
      rule: findId('lilurule.md'),
      document: findId('liluown.md'),
      inner: findId('liluinner.md'),
      schedule: schedule as string,
      experiment: experiment as string,
      trigger: trigger as string,
      table: (await get(`/knowledge-sources/${closedSource}/tables`)).body.data[0].id as string,
      tool: closedTool as string,
      search: closedSearch as string,
      own: own.id,
      conversation: withClosed.id,
      waiting: waiting as string,
      message: withClosed.message,
      ownMessage: own.message,
      file,
      response: response as string,
      evaluation,
      monitor: monitor as string,
      review: review as string,
      partial,
      run: finished,
      approval: paused.tool_calls[0].approval_id as string,
      sync: syncs[0].id as string,
      threshold: (await made('/usage/thresholds', limit)).id as string,
    },
  }
}
