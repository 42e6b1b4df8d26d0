import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type { Json } from './harness.ts'

const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const { components, webhooks } = JSON.parse(read('openapi.json')) as Json

const cells = (row: string): string[] =>
  row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

const codes = (text = ''): string[] => [...text.matchAll(/`(\w+(?:\.\w+)?)\??`/g)].map((match) => match[1] ?? '')

it('docs/conversations.md lists every event with its payload', () => {
  const rows = read('docs/conversations.md').split('\n').map(cells)
  const documented = rows
    .filter(([event]) => /^`(\w+\.\w+|handoff)`$/.test(event ?? ''))
    .map(([event, data]) => [codes(event)[0], codes(data)])
  const optional = new Set<string>()
  const declared = components.schemas.ReplyEvent.anyOf.map(({ properties, required }: Json) => {
    const { type, sequence, ...data } = properties
    for (const field of Object.keys(data)) optional.add(required.includes(field) ? '' : field)
    return [type.const, Object.keys(data)]
  })
  const marked = rows.flatMap(([event, data]) =>
    /^`\w+\.\w+`$/.test(event ?? '') ? [...(data ?? '').matchAll(/`(\w+)\?`/g)].map(([, field]) => field) : [],
  )
  expect(marked).toEqual([...optional].filter(Boolean))
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared))
})

it('docs/openai.md says what happens to every field of a chat completion', () => {
  const page = read('docs/openai.md')
  const rows = page.split('\n').map(cells)
  const fields = Object.keys(components.schemas.ChatCompletionRequest.properties)
  const documented = rows.flatMap(([names]) => codes(names)).filter((name) => fields.includes(name))
  expect([...new Set(documented)].sort()).toEqual(fields.sort())
})

it('docs/webhooks.md lists every event with its payload', () => {
  const rows = read('docs/webhooks.md').split('\n').map(cells)
  const documented = rows
    .filter(([event]) => /^`\w+\.\w+`$/.test(event ?? ''))
    .map(([event, , data]) => [codes(event)[0], codes(data)])
  const declared = Object.entries<Json>(webhooks).map(([event, { post }]) => {
    const { $ref } = post.requestBody.content['application/json'].schema.properties.data
    return [event, Object.keys(components.schemas[$ref.split('/').at(-1)].properties)]
  })
  expect(Object.fromEntries(documented)).toEqual(Object.fromEntries(declared))
})

/** Lines of Markdown without those of code blocks and without empty ones. */
const textLines = (page: string): string[] =>
  page
    .replace(/^```.*\n[\s\S]*?^```/gm, '```')
    .split('\n')
    .filter(Boolean)

it('every heading of docs/*.md begins with a sentence that answers it, which search and the local model quote', () => {
  const level = (line = '') => /^(#+) /.exec(line)?.[1]?.length ?? 0
  const isSentence = (line: string) => !/^(\||```|!\[|<|>|[-*] |\d+\. )/.test(line)
  const without = globSync('docs/*.md', { cwd: root }).flatMap((path) => {
    const lines = textLines(read(path))
    return lines.flatMap((line, at) => {
      const next = lines[at + 1] ?? '```'
      const isGroup = level(line) > 1 && level(next) > level(line) // such as "Models" in the FAQ
      if (level(line) === 0 || isGroup || (isSentence(next) && level(next) === 0)) return []
      return [`${path}: ${line}`]
    })
  })
  expect(without).toEqual([])
})
