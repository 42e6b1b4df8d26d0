import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { png } from './attachments.ts'
import { folderOfTest } from './folder.ts'
import { type Service, startService } from './harness.ts'
import { mcpServer, type ServedTool } from './mcp-server.ts'

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
)

/** Scenarios that the MCP server leaves out on purpose; docs/conformance.md says why. The suite fails if one of them passes. */
const serverLeavesOut = [
  'logging-set-level',
  'tools-call-with-logging',
  'completion-complete',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'server-sse-polling',
  'server-sse-multiple-streams',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]

const image = { type: 'image', data: png().toString('base64'), mimeType: 'image/png' }
const audio = { type: 'audio', data: Buffer.from('RIFF').toString('base64'), mimeType: 'audio/wav' }
const resource = { type: 'resource', resource: { uri: 'test://resource', mimeType: 'text/plain', text: 'Embedded.' } }
const answers = (...content: object[]) => ({ run: () => ({ content }) })

/** The tools that the suite calls, below the name of their server: `test`. */
const tested: ServedTool[] = [
  { name: 'simple_text', ...answers({ type: 'text', text: 'This is a simple text response for testing.' }) },
  { name: 'image_content', ...answers(image) },
  { name: 'audio_content', ...answers(audio) },
  { name: 'embedded_resource', ...answers(resource) },
  { name: 'multiple_content_types', ...answers({ type: 'text', text: 'Several.' }, image, resource) },
  {
    name: 'error_handling',
    run: () => ({ isError: true, content: [{ type: 'text', text: 'It failed on purpose.' }] }),
  },
  {
    name: 'tool_with_progress',
    async run(_args, report) {
      for (const progress of [0, 1, 2]) await report(progress, 'Working')
      return { content: [{ type: 'text', text: 'Done.' }] }
    },
  },
]

/** Its name below the server `json` is that of the suite. */
const schemaTool: ServedTool = {
  name: 'schema_2020_12_tool',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    $defs: { address: { type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
    properties: { name: { type: 'string' }, address: { $ref: '#/$defs/address' } },
    additionalProperties: false,
  },
}

/** The suite sends no token, so a proxy adds it. Everything else passes as it is. */
async function withToken({ url, token }: Service): Promise<string> {
  const { hostname, port } = new URL(url)
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` }
    const sent = request({ hostname, port, path: '/api/mcp', method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    })
    sent.on('error', () => outgoing.destroy())
    outgoing.on('close', () => sent.destroy())
    incoming.pipe(sent)
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`
}

/** Runs the suite, and returns its exit code and what it printed. */
async function run(args: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [suite, ...args], {
    cwd: folderOfTest(),
    env: { ...process.env, NODE_OPTIONS: '', ...environment },
  })
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, output: `${output}${errors}` }
}

it('the MCP server passes the conformance suite, but for what it leaves out', async () => {
  const here = await startService({ environment: { RATE_LIMIT: '0', EGRESS_ALLOW: '127.0.0.1,::1' } })
  const served: [string, ServedTool[]][] = [
    ['test', tested],
    ['json', [schemaTool]],
  ]
  for (const [name, tools] of served) {
    const { url } = await mcpServer(tools)
    const tool = { name, type: 'mcp', description: 'D', url, requires_approval: false }
    expect((await here.post('/api-tools', tool)).status).toBe(201)
  }
  const prompt = "Prompt with arguments: arg1='{{arg1}}', arg2='{{arg2}}'"
  await here.post('/prompt-templates', {
    name: 'test_simple_prompt',
    description: 'D',
    template: 'This is a simple prompt for testing.',
  })
  await here.post('/prompt-templates', { name: 'test_prompt_with_arguments', description: 'D', template: prompt })
  const baseline = join(folderOfTest(), 'left-out.yml')
  writeFileSync(baseline, `server:\n${serverLeavesOut.map((name) => `  - ${name}\n`).join('')}`)
  const url = await withToken(here)
  const { code, output } = await run(['server', '--url', url, '--suite', 'all', '--expected-failures', baseline])
  expect([code, code === 0 ? '' : output]).toEqual([0, ''])
})

/** Scenarios that the MCP client leaves out on purpose; docs/conformance.md says why. */
const clientLeavesOut = ['auth/basic-cimd', 'auth/scope-step-up']

it.each([
  ['scenario', 'initialize'],
  ['scenario', 'tools_call'],
  ['suite', 'auth'],
])('the MCP client passes the %s %s, but for what it leaves out', async (kind, name) => {
  const here = await startService({ shared: true, environment: { RATE_LIMIT: '0', EGRESS_ALLOW: '127.0.0.1,::1' } })
  const client = `${process.execPath} ${fileURLToPath(new URL('conformance-client.ts', import.meta.url))}`
  const baseline = join(folderOfTest(), 'left-out.yml')
  writeFileSync(baseline, `client:\n${clientLeavesOut.map((each) => `  - ${each}\n`).join('')}`)
  const environment = { PARLEY_URL: here.url, PARLEY_TOKEN: here.token }
  const args = ['client', '--command', client, `--${kind}`, name, '--expected-failures', baseline]
  const { code, output } = await run(args, environment)
  expect([code, code === 0 ? '' : output]).toEqual([0, ''])
})
