import { expect, it } from 'vitest'
import { type Json, startOn } from '../../../test/harness.ts'
import { connect, mcpStage, resultText } from '../../../test/mcp.ts'

it('the MCP server answers on any node', async () => {
  const { url, token, environment, echo } = await mcpStage({ own: true })
  const other = await startOn(environment, { features: [echo.feature] })
  const [one, two] = [await connect(url, token), await connect(other.url, token)]
  const first = (await one.callTool({ name: 'ask_hello_co', arguments: { message: 'Hi' } })) as Json
  const { conversation_id } = first.structuredContent
  const args = { message: 'Again', conversation_id }
  expect(resultText(await two.callTool({ name: 'ask_hello_co', arguments: args }))).toBe('Hello there')
})
