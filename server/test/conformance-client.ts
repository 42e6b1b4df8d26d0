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

/** The authorization server of the suite asks nobody: its answer leads back to Parley at once. */
async function connect(tool_id: string) {
  const { authorize_url } = await post('/connections', { tool_id })
  const answer = await fetch(authorize_url, { redirect: 'manual' })
  // An account of the workspace is connected by an editor.
  const callback = await fetch(answer.headers.get('location') ?? '', {
    headers: { authorization: `Bearer ${PARLEY_TOKEN}` },
  })
  if (!callback.ok) throw new Error(`The account was not connected: ${await callback.text()}`)
}

const name = scenario.replaceAll(/[^a-z0-9]/g, '_')
const { client_id, client_secret } = JSON.parse(process.env.MCP_CONFORMANCE_CONTEXT ?? '{}')
const auth = { type: 'oauth2', account: 'workspace', ...(client_id && { client_id, client_secret }) }
const usesAccount = scenario.startsWith('auth/')
const tool = await post('/api-tools', { name, type: 'mcp', description: 'D', url, ...(usesAccount && { auth }) })
if (usesAccount) await connect(tool.id)
const { tools } = await post(`/api-tools/${tool.id}/tools/refresh`, {})
const calls: Record<string, object> = { add_numbers: { a: 5, b: 3 }, test_reconnection: {}, 'test-tool': {} }
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
