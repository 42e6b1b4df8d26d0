import { expect, it } from 'vitest'
import { readEvents } from '../../../test/event-stream.ts'
import type { Json } from '../../../test/harness.ts'
import { connect, resultText } from '../../../test/mcp.ts'
import { mcpServer } from '../../../test/mcp-server.ts'
import { mayCallLoopback } from '../../../test/scripted-api.ts'
import { stage } from '../../../test/stage.ts'

it('progress of a tool of another MCP server reaches streams and MCP clients', async () => {
  const secret = 'sesame-open-up'
  const { url } = await mcpServer([
    {
      name: 'build',
      async run(_args, report) {
        await report(1, `Half of it with ${secret}`)
        await report(1, 'This is no progress')
        return { content: [{ type: 'text', text: 'built' }] }
      },
    },
  ])
  const here = await stage({ deltas: ['Done'] }, mayCallLoopback)
  const auth = { type: 'bearer', token: secret }
  const { id } = (
    await here.post('/api-tools', { name: 'ci', description: 'D', type: 'mcp', url, auth, requires_approval: false })
  ).body.data
  await here.put(`/agents/${here.agent}`, { tools: [id] })
  const call = { toolCalls: [{ id: 'c1', name: 'ci_build', arguments: '{}' }] }

  here.provider.next(call, { deltas: ['Done'] })
  const conversation = await here.talk()
  const response = await fetch(`${here.url}/api/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${here.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'Build', stream: true }),
  })
  const events = await readEvents(response)
  const half = { progress: 1, total: 2, message: 'Half of it with ••••' }
  const progress = events.filter(({ event }) => event === 'tool.progress').map(({ data }) => data)
  expect(progress).toMatchObject([{ tool_call_id: 'c1', progress: 1, total: 2, text: half.message }])
  const message = events[0]?.data.message_id
  const again = await fetch(`${here.url}/api/conversations/${conversation}/messages/${message}/stream`, {
    headers: { authorization: `Bearer ${here.token}` },
  })
  expect(await readEvents(again)).toEqual(events)

  const client = await connect(here.url, here.token)
  const heard: Json[] = []
  const onprogress = (each: Json) => void heard.push(each)
  expect(resultText(await client.callTool({ name: 'ci_build', arguments: {} }, { onprogress }))).toBe('built')
  expect(heard).toMatchObject([half])
  here.provider.next(call, { deltas: ['Done'] })
  await client.callTool({ name: 'ask_a', arguments: { message: 'Build' } }, { onprogress })
  expect(heard.slice(1).map((each) => [each.progress, each.message])).toEqual([
    [1, 'Calling ci_build'],
    [2, half.message],
  ])
})
