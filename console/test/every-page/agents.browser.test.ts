import { it } from 'vitest'
import { signedHeaders } from '../../../server/src/features/webhooks/signature.ts'
import { stagedWorkspace } from '../console.ts'
import { checkPages, longWord } from './check.ts'

it('pages of agents, schedules, monitors, reviews, triggers, conversations, models and usage are accessible and fit, with long names', async () => {
  const workspace = await stagedWorkspace(
    { deltas: ['**Yes**, with [a link](https://a.example).', longWord], usage: { input: 100, output: 10 } },
    { name: longWord, description: longWord },
  )
  const { agent, model, post, put, talk, say } = workspace
  await put(`/models/${model}`, { pricing: { input: 0.001, output: 0.0021 } }) // for costs with many digits
  const other = (await post('/agents', { name: `An agent whose name goes on ${'and on '.repeat(20)}`.trim() })).body
    .data.id
  const conversation = await talk()
  await put(`/conversations/${conversation}`, { title: longWord })
  await say(conversation, `Is it so? ${longWord}`)
  await post('/usage/thresholds', { name: longWord, metric: 'cost', limit: 1, window: 'month', action: 'block' })
  const action = { type: 'message', agent_id: agent, message: longWord }
  const createSchedule = async (more: object) =>
    (await post('/schedules', { name: longWord, cron: '0 9 1 1 *', action, ...more })).body.data.id
  const schedule = await createSchedule({})
  await post(`/schedules/${schedule}/run`)
  const once = await createSchedule({ cron: null, at: '2099-01-01T09:00:00Z', timezone: 'Europe/Berlin' })
  const template = { template: `{{body.${longWord}}}`, conversation_key: `body.${longWord}` }
  const trigger = (await post('/triggers', { name: longWord, agent_id: agent, ...template })).body.data
  const raw = JSON.stringify({ [longWord]: longWord })
  const signed = { id: 'evt_1', timestamp: Math.floor(Date.now() / 1000), body: raw, secrets: [trigger.secret] }
  await workspace.ask('POST', `/triggers/${trigger.id}/fire`, { raw, token: null, headers: signedHeaders(signed) })
  await post('/reviews', { message_id: (await say(conversation, longWord)).body.data.id })
  const scorers = [{ type: 'contains', config: { values: [longWord] } }]
  const monitor = (await post('/monitors', { name: longWord, agent_id: other, scorers })).body.data.id
  await post('/memories', { content: `${longWord} is what the person said.`, user_id: 'ada', agent_id: agent })
  await post('/tokens', { name: longWord, role: 'user', user_id: 'ada', groups: [longWord.slice(0, 60)] })
  await post('/invitations', { email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`, groups: [longWord.slice(0, 60)] })
  const person = (await workspace.get('/users?user_id=ada')).body.data[0].id
  await checkPages(workspace, [
    ['/monitors', 'Search monitors'],
    ['/monitors?new=yes', 'Create monitor'],
    [`/monitors/${monitor}`, 'No scores yet'],
    [`/monitors/${monitor}?tab=settings`, 'No unsaved changes'],
    ['/reviews', 'Your verdict'],
    ['/', 'Cost today'],
    ['/status', 'Parts of the service'],
    ['/agents', 'Search agents'],
    [`/agents/${agent}?conversation=${conversation}`, /\d+ tokens/],
    ['/chat', /^Message /],
    ['/approvals', 'Nothing waits for approval'],
    [`/chat?conversation=${conversation}`, /\d+ tokens/],
    ['/models', 'Local extractive'],
    ['/models?new=yes', 'The API key is stored encrypted'],
    ['/conversations?from=2020-01-01', 'Search messages and titles'],
    [`/conversations/${conversation}`, /\d+ tokens/],
    ['/schedules', 'Search schedules'],
    ['/schedules?new=yes', 'Create schedule'],
    [`/schedules/${schedule}`, 'Run now'],
    [`/schedules/${schedule}?tab=settings`, 'No unsaved changes'],
    [`/schedules/${once}?tab=settings`, 'In the time zone of the schedule.'],
    ['/triggers', 'Search triggers'],
    ['/triggers?new=yes', 'Create trigger'],
    [`/triggers/${trigger.id}`, 'Received'],
    [`/triggers/${trigger.id}?tab=try`, 'Send a webhook'],
    [`/triggers/${trigger.id}?tab=settings`, 'No unsaved changes'],
    ['/usage', 'Cost per day'],
    ['/analytics', 'Response time'],
    ['/analytics?by=version', 'Replies'],
    ['/people', 'Search people'],
    ['/people?new=yes', 'Invite a person'],
    [`/people/${person}`, 'First seen'],
    ['/memories', 'Search memories'],
    ['/memories?new=yes', 'An edited memory stays'],
  ])
})
