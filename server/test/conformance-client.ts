/** Connects a running Parley to the MCP server of a conformance scenario, and calls its tools. */
const [url] = process.argv.slice(2)
const { PARLEY_URL, PARLEY_TOKEN, MCP_CONFORMANCE_SCENARIO: scenario = '' } = process.env

async function post(path: string, body: object) {
  const response = await fetch(`${PARLEY_URL}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${PARLEY_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
  return JSON.parse(text).data
}

const name = scenario.replaceAll(/[^a-z0-9]/g, '_')
const tool = await post('/api-tools', { name, type: 'mcp', description: 'D', url })
const { tools } = await post(`/api-tools/${tool.id}/tools/refresh`, {})
const calls: Record<string, object> = { add_numbers: { a: 5, b: 3 }, test_reconnection: {} }
for (const each of tools ?? []) {
  const values = calls[each.name]
  if (!values) continue
  const { ok, error } = await post(`/api-tools/${tool.id}/test`, { tool: each.name, arguments: values })
  if (!ok) throw new Error(error)
}
// The suite waits until its server has no more connections.
await fetch(`${PARLEY_URL}/api/api-tools/${tool.id}`, {
  method: 'DELETE',
  headers: { authorization: `Bearer ${PARLEY_TOKEN}` },
})
