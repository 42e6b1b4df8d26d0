import { chunkDocument } from '@parley/documents/chunk'
import { parseMarkdown } from '@parley/documents/markdown'
import { describe, expect, it } from 'vitest'
import type { ParsedDocument } from '../../knowledge-sources/indexer.ts'
import { difference, toChunks } from './chunks.ts'

const document = (text: string, more: Partial<ParsedDocument> = {}): ParsedDocument => ({
  ...parseMarkdown(text),
  format: 'md',
  mediaType: 'text/markdown',
  id: 'doc_1',
  sourceId: 'src_1',
  label: 'guide.md',
  metadata: { year: 2024 },
  ...more,
})
const makeChunks = async (text: string, more: Partial<ParsedDocument> = {}) => {
  const parsed = document(text, more)
  return toChunks(parsed, chunkDocument(parsed, { size: 50, overlap: 0 }))
}
const part = (name: string) => `# ${name}\n\n${`The ${name} is here. `.repeat(8)}`

describe('the passages of a document', () => {
  it('are exact spans with headings, the first being the name of the document', async () => {
    const text = `${part('alpha')}\n\n${part('beta')}`
    const chunks = await makeChunks(text)
    expect(chunks.map(({ headings }) => headings)).toEqual([
      ['guide', 'alpha'],
      ['guide', 'beta'],
    ])
    for (const { span, text: words } of chunks) expect(text.slice(span?.start, span?.end)).toBe(words)
  })

  it('of a web page have its title instead of its URL', async () => {
    const page = { label: 'https://example.com/a/b', metadata: { title: 'Prices' } }
    expect((await makeChunks('Just text.', page))[0]?.headings).toEqual(['Prices'])
    expect((await makeChunks('Just text.', { ...page, metadata: {} }))[0]?.headings).toEqual([])
  })

  it('keep their ids when they move, and have different ids when their text is equal', async () => {
    const before = await makeChunks(`${part('alpha')}\n\n${part('beta')}`)
    const after = await makeChunks(`${part('gamma')}\n\n${part('alpha')}\n\n${part('beta')}`)
    expect(after.slice(1).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
    const same = await makeChunks(`${part('alpha')}\n\n${part('alpha')}`)
    expect(new Set(same.map(({ id }) => id)).size).toBe(2)
    expect((await makeChunks(part('alpha'), { id: 'doc_2' }))[0]?.id).not.toBe(before[0]?.id)
  })

  it('are added, reused and removed as the text changes', async () => {
    const before = await makeChunks(`${part('alpha')}\n\n${part('beta')}`)
    expect(difference(before, await makeChunks(`${part('alpha')}\n\n${part('beta')}`))).toEqual({
      add: [],
      remove: [],
      counts: { embedded: 0, reused: 2, removed: 0 },
    })
    const after = await makeChunks(`${part('alpha')}\n\n${part('gamma')}`)
    const { add, remove, counts } = difference(before, after)
    expect([add.length, remove, counts]).toEqual([1, [before[1]?.id], { embedded: 1, reused: 1, removed: 1 }])
    const labelled = await makeChunks(`${part('alpha')}\n\n${part('beta')}`, { metadata: { year: 2025 } })
    expect(difference(before, labelled)).toMatchObject({ add: labelled, counts: { embedded: 0, reused: 2 } })
  })
})
