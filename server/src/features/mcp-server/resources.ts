import type { CitablePassage } from '../../kernel/agent/agent-tool.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { Problem } from '../../kernel/errors.ts'
import { allows } from '../../kernel/http/permissions.ts'
import { message } from '../conversations/service.ts'
import { seenAmong } from '../knowledge-sources/access/visible.ts'
import { readParsed } from '../knowledge-sources/contents.ts'
import type { Message } from '../runs/schema.ts'

export const resourceTemplates = [
  {
    name: 'citation',
    title: 'A citation of a reply',
    uriTemplate: 'parley://conversations/{conversation_id}/messages/{message_id}/citations/{index}',
    description: 'The quote that a statement of the reply rests on.',
    mimeType: 'text/plain',
  },
  {
    name: 'passage',
    title: 'A passage of a document',
    uriTemplate: 'parley://documents/{document_id}/{start}-{end}',
    description: 'The characters from start to end of the text of a document.',
    mimeType: 'text/plain',
  },
]

const isWebPage = (source: string): boolean => /^https?:\/\//.test(source)

/** Where a citation can be read. Web pages are read at their own address. */
export const citationUri = (
  { conversation_id, id }: Pick<Message, 'conversation_id' | 'id'>,
  { source, index }: Pick<Message['citations'][number], 'source' | 'index'>,
): string =>
  isWebPage(source) ? source : `parley://conversations/${conversation_id}/messages/${id}/citations/${index}`

/** Where a passage that a tool has found can be read. */
export function passageUri({ source, document_id, start, end, passage }: CitablePassage): string {
  const [from, to] = passage ? [passage.start, passage.start + passage.text.length] : [start, end]
  return isWebPage(source) ? source : `parley://documents/${document_id}/${from}-${to}`
}

export const linkTo = (uri: string, { source, page, quote }: { source: string; page: number; quote: string }) => ({
  type: 'resource_link' as const,
  uri,
  name: source,
  title: `${source}, page ${page}`,
  description: quote,
  mimeType: 'text/plain' as const,
})

/** The text behind a link. Returns undefined if the caller sees no such resource. */
export async function readResource(ctx: Context, who: Caller, uri: string): Promise<string | undefined> {
  try {
    const citation = /^parley:\/\/conversations\/(\w+)\/messages\/(\w+)\/citations\/(\d{1,9})$/.exec(uri)
    if (citation) return await readQuote(ctx, who, citation[1] as string, citation[2] as string, Number(citation[3]))
    const passage = /^parley:\/\/documents\/(\w+)\/(\d{1,15})-(\d{1,15})$/.exec(uri)
    if (passage) return await readText(ctx, who, passage[1] as string, Number(passage[2]), Number(passage[3]))
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error
  }
  return undefined
}

async function readQuote(ctx: Context, who: Caller, conversation: string, id: string, index: number) {
  if (!allows('converse', who.role)) return undefined
  const { citations } = await message(ctx, who, conversation, id)
  const quotes = citations.filter((citation) => citation.index === index).map(({ quote }) => quote)
  return quotes.length === 0 ? undefined : quotes.join('\n\n')
}

async function readText(ctx: Context, who: Caller, id: string, start: number, end: number) {
  if (!allows('read-configuration', who.role)) return undefined
  const sees = await seenAmong(ctx, who, [id])
  return sees(id) ? (await readParsed(ctx, who.workspace, id)).text.slice(start, end) : undefined
}
