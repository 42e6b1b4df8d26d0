import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { type Json, startService } from './harness.ts'
import { knowledge } from './knowledge.ts'
import { stage } from './stage.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const { components } = JSON.parse(read('openapi.json')) as Json

/** The code blocks of a page in one language. */
const snippets = (page: string, language: string): string[] =>
  [...read(page).matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map((match) => match[1] ?? '')

/** Runs a snippet in a process of its own and returns what it prints. */
async function run(snippet: string, url: string, env: Record<string, string>): Promise<string> {
  const file = fileURLToPath(new URL(`.dist-snippet-${crypto.randomUUID()}.ts`, import.meta.url))
  onTestFinished(() => rmSync(file, { force: true }))
  const code = snippet
    .replaceAll('http://127.0.0.1:3000', url)
    .replace("'@parley/client'", "'../../client/src/index.ts'")
  writeFileSync(file, code)
  return (await promisify(execFile)(process.execPath, [file], { env: { ...process.env, ...env } })).stdout
}

const cells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const codes = (text = ''): string[] => [...text.matchAll(/`(\w+(?:\.\w+)?)`/g)].map((match) => match[1] ?? '')

it('docs/conversations.md lists every event with its payload', () => {
  const rows = read('docs/conversations.md').split('\n').map(cells)
  const documented = rows
    .filter(([event]) => /^`\w+\.\w+`$/.test(event ?? ''))
    .map(([event, data]) => [codes(event)[0], codes(data)])
  const declared = components.schemas.MessageEvent.anyOf.map(({ properties, required }: Json) => {
    const { type, sequence, ...data } = properties
    expect(required.length).toBe(Object.keys(properties).length)
    return [type.const, Object.keys(data)]
  })
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared))
})

it('docs/openai.md says what happens to every field of a chat completion', () => {
  const page = read('docs/openai.md')
  const rows = page.split('\n').map(cells)
  const fields = Object.keys(components.schemas.ChatCompletionRequest.properties)
  const documented = rows.flatMap(([names]) => codes(names)).filter((name) => fields.includes(name))
  expect([...new Set(documented)].sort()).toEqual(fields.sort())
})

it('the examples of the docs work', async () => {
  const here = await stage({ deltas: ['Good', ' day'] })
  const env = { TOKEN: here.token, AGENT: here.agent }
  for (const page of ['docs/conversations.md', 'docs/openai.md']) {
    const [snippet = ''] = snippets(page, 'ts')
    expect([page, (await run(snippet, here.url, env)).trim()]).toEqual([page, 'Good day'])
  }
})

it('the commands of docs/access.md work', async () => {
  const service = await startService()
  const { post } = service
  const { upload } = knowledge(service)
  const SOURCE = (await post('/knowledge-sources', { name: 'Files', type: 'file' })).body.data.id
  const DOCUMENT = (await upload(SOURCE, { 'plan.txt': 'Plan' }, { query: '?sync=false' })).body.data[0].id
  const AGENT = (await post('/agents', { name: 'Helper' })).body.data.id
  const env = { ...process.env, TOKEN: service.token, SOURCE, DOCUMENT, AGENT }
  const cwd = mkdtempSync(join(tmpdir(), 'parley-docs-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  for (const snippet of snippets('docs/access.md', 'sh')) {
    const commands = snippet.replaceAll('http://127.0.0.1:3000', service.url)
    const { stdout } = await promisify(execFile)('sh', ['-ec', commands], { env, cwd })
    expect([snippet, JSON.parse(stdout).success]).toEqual([snippet, true])
  }
})

it('useChat of the AI SDK works as the docs say', async () => {
  const here = await stage({ deltas: ['Good', ' day'] })
  const [snippet = ''] = snippets('docs/conversations.md', 'tsx')
  const transport = snippet
    .split('\n')
    .filter((line) => !line.includes('useChat'))
    .join('\n')
    .replace('/api/', `${here.url}/api/`)
  const use = `
    const conversationId = '${await here.talk()}'
    const token = '${here.token}'
    ${transport}
    const messages = [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] }]
    const request = { trigger: 'submit-message', chatId: 'c', messageId: undefined, messages, abortSignal: undefined }
    for await (const chunk of await transport.sendMessages(request))
      if (chunk.type === 'text-delta') process.stdout.write(chunk.delta)`
  expect(await run(use, here.url, {})).toBe('Good day')
  expect(here.told(0).at(-1)).toBe('Hello')
})
