import { it } from 'vitest'
import { stagedWorkspace } from '../console.ts'
import { checkPages, longWord } from './check.ts'

it('pages of agents, conversations, models and usage are accessible and fit, with long names', async () => {
  const workspace = await stagedWorkspace(
    { deltas: ['**Yes**, with [a link](https://a.example).', longWord], usage: { input: 100, output: 10 } },
    { name: longWord, description: longWord },
  )
  const { agent, model, post, put, talk, say } = workspace
  await put(`/models/${model}`, { pricing: { input: 0.001, output: 0.0021 } }) // for costs with many digits
  await post('/agents', { name: `An agent whose name goes on ${'and on '.repeat(20)}`.trim() })
  const conversation = await talk()
  await put(`/conversations/${conversation}`, { title: longWord })
  await say(conversation, `Is it so? ${longWord}`)
  await post('/usage/thresholds', { name: longWord, metric: 'cost', limit: 1, window: 'month', action: 'block' })
  await checkPages(workspace, [
    ['/', 'Cost today'],
    ['/agents', 'Search agents'],
    [`/agents/${agent}?conversation=${conversation}`, /\d+ tokens/],
    ['/chat', /^Message /],
    ['/approvals', 'Nothing waits for approval'],
    [`/chat?conversation=${conversation}`, /\d+ tokens/],
    ['/models', 'Local extractive'],
    ['/models?new=yes', 'The API key is stored encrypted'],
    ['/conversations?from=2020-01-01', 'Search messages and titles'],
    [`/conversations/${conversation}`, /\d+ tokens/],
    ['/usage', 'Cost per day'],
    ['/analytics', 'Response time'],
    ['/people', 'Search people'],
  ])
})
