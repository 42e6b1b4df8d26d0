import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { onTestFinished } from 'vitest'
import { echoTool } from './echo-tool.ts'
import type { Json, Start } from './harness.ts'
import { stage } from './stage.ts'

/** An agent, a tool that runs at once (`echo`) and one that needs approval (`echo_1`). */
export async function mcpStage(start?: Start) {
  const echo = echoTool(['echo_1'])
  const here = await stage(
    { deltas: ['Hello ', 'there'] },
    { ...(start ?? { shared: true }), features: [echo.feature] },
    { name: 'Héllo & Co' },
  )
  const cautious = await echo.create(here)
  const tool = await echo.create(here) // listed first because it is the newest
  return { ...here, echo, tool, cautious }
}

export async function connect(url: string, token: string, version?: 'legacy'): Promise<Client> {
  const options = version === 'legacy' ? {} : ({ versionNegotiation: { mode: 'auto' } } as const)
  const client = new Client({ name: 'test', version: '1' }, options)
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }))
  onTestFinished(() => client.close())
  return client
}

export const resultText = (result: Json): string => result.content[0].text
