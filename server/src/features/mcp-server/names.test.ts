import { expect, it } from 'vitest'
import type { Json } from '../../../test/harness.ts'
import { connect, resultText } from '../../../test/mcp.ts'
import { mcpServer } from '../../../test/mcp-server.ts'
import { mayCallLoopback } from '../../../test/scripted-api.ts'
import { stage } from '../../../test/stage.ts'

async function connected() {
  const here = await stage({ deltas: ['Hello'] }, mayCallLoopback, { name: 'Support' })
  const client = await connect(here.url, here.token)
  const names = async () => (await client.listTools()).tools.map(({ name }) => name)
  const call = async (name: string, args: object = {}): Promise<Json> =>
    client.callTool({ name, arguments: args as Record<string, unknown> })
  const addServer = async (name: string, answer: string): Promise<string> => {
    const { url } = await mcpServer([{ name: 'write', run: () => ({ content: [{ type: 'text', text: answer }] }) }])
    return (await here.post('/api-tools', { name, description: 'D', type: 'mcp', url, requires_approval: false })).body
      .data.id
  }
  return { ...here, client, names, call, addServer }
}

it('the tools of an MCP server keep their names when others come and go', async () => {
  const { names, call, addServer, post, remove } = await connected()
  const first = await addServer('notes', 'written to notes')
  expect(await names()).toEqual(['ask_support', 'notes_write'])
  await addServer('wiki', 'written to the wiki')
  await post('/api-tools', { name: 'write', description: 'D', url: 'https://example.com/' })
  expect((await names()).sort()).toEqual(['ask_support', 'notes_write', 'wiki_write', 'write'])
  expect(resultText(await call('notes_write'))).toBe('written to notes')
  expect(resultText(await call('wiki_write'))).toBe('written to the wiki')
  await remove(`/api-tools/${first}`)
  await expect(call('notes_write')).rejects.toThrow('There is no tool "notes_write"')
  await addServer('notes', 'written elsewhere')
  const [renamed] = (await names()).filter((name) => name.startsWith('notes_write'))
  expect(renamed).toMatch(/^notes_write_[0-9a-f]{6}$/)
  await expect(call('notes_write')).rejects.toThrow('There is no tool "notes_write"')
  expect(resultText(await call(renamed as string))).toBe('written elsewhere')
})

it('an agent keeps its name when another gets the same one, and its old name when it is renamed', async () => {
  const { names, call, agent, put, post } = await connected()
  expect(await names()).toEqual(['ask_support'])
  const other = (await post('/agents', { name: 'support!' })).body.data.id
  const both = await names()
  expect(both.sort()).toEqual(['ask_support', expect.stringMatching(/^ask_support_[0-9a-f]{6}$/)])
  await put(`/agents/${agent}`, { name: 'Help' })
  await put(`/agents/${other}`, { name: 'Support' })
  expect((await names()).sort()).toEqual(['ask_help', both[1]])
  expect(resultText(await call('ask_support', { message: 'Hi' }))).toBe('Hello')
  expect(resultText(await call('ask_help', { message: 'Hi' }))).toBe('Hello')
})

it('requests at the same time agree about new names', async () => {
  const { names, post } = await connected()
  for (const name of ['Twin', 'twin!', 'TWIN?']) await post('/agents', { name })
  const lists = await Promise.all(Array.from({ length: 6 }, names))
  expect(new Set(lists.map((list) => list.join())).size).toBe(1)
  expect(new Set(lists[0]).size).toBe(4)
  expect(await names()).toEqual(lists[0])
})
