import { echoTool } from './echo-tool.ts'
import type { Json, Start } from './harness.ts'
import type { Script } from './scripted-provider.ts'
import { stage } from './stage.ts'

export const call = (id: string, text: string, name = 'echo_1') => ({ id, name, arguments: JSON.stringify({ text }) })
const usage = { input: 1000, output: 500 }
/** A model reply that calls the tool that needs approval. */
export const asking: Script = { deltas: ['Let me ask. '], toolCalls: [call('call_a', 'sent')], usage }
export const answering: Script = { deltas: ['It ', 'is done.'], usage }

/** An agent with a tool that runs at once (`echo`) and one that needs approval (`echo_1`). */
export async function cautious(start?: Start) {
  const echo = echoTool(['echo_1'])
  const here = await stage({ deltas: ['Done'] }, { ...(start ?? { shared: true }), features: [echo.feature] })
  const tools = [await echo.create(here), await echo.create(here)]
  await here.put(`/agents/${here.agent}`, { tools })
  const decide = (conversation: string, message: string, toolCall: string, approved: boolean, more: object = {}) =>
    here.post(`/conversations/${conversation}/messages/${message}/approvals`, {
      tool_call_id: toolCall,
      approved,
      ...more,
    })
  /** The messages of the model's nth request. */
  const heard = (request: number) => (here.provider.requests[request]?.body.messages ?? []) as Json[]
  return { ...here, tools, calls: echo.calls, echo, decide, heard }
}
