import { Type } from 'typebox'
import type { FoundPassages } from '../../kernel/agent/found-passages.ts'
import { Choice } from '../../kernel/schema.ts'

const UrlCitation = Type.Object({
  start_index: Type.Integer({ description: 'Where the `[n]` starts in the content.' }),
  end_index: Type.Integer({ description: 'Where it ends.' }),
  title: Type.String({ description: 'The name of the document.' }),
  url: Type.String({ description: 'The web page, or the document in the console.' }),
  index: Type.Integer({ description: 'The n of `[n]`.' }),
  document_id: Type.String(),
  page: Type.Integer(),
  quote: Type.String({ description: 'The words that the statement rests on.' }),
})

/** A citation in the format of OpenAI's web search, with fields of our own. */
export const Annotation = Type.Object(
  { type: Choice(['url_citation']), url_citation: UrlCitation },
  { title: 'ChatAnnotation' },
)

interface Passage {
  source: string
  document_id: string
  start: number
  end: number
}

/** A web page, or the passage in the console. */
export function passageUrl({ source, document_id, start, end }: Passage, tool: string, origin: string): string {
  if (/^https?:\/\//.test(source)) return source
  const place = new URLSearchParams({ tool, document: document_id, start: String(start), end: String(end) })
  return `${origin}/knowledge/passage?${place}`
}

interface AnnotationOptions {
  toolIds: ReadonlyMap<string, string | null>
  origin: string
  /** Passages from before a wait may have been hidden since. */
  sees(documentId: string): boolean
}

/** Annotates a reply with the passages it cites that the caller sees. `origin`: where this service is reached. */
export async function annotate(text: string, found: FoundPassages, { toolIds, origin, sees }: AnnotationOptions) {
  const cited = (await found.markedIn(text)).filter(({ document_id }) => sees(document_id))
  return cited.map(({ mark, tool_call_id, ...citation }) => {
    const { source, index, document_id, page, quote } = citation
    const tool = toolIds.get(tool_call_id) ?? ''
    return {
      type: 'url_citation' as const,
      url_citation: {
        start_index: mark.start,
        end_index: mark.end,
        title: source,
        url: passageUrl(citation, tool, origin),
        index,
        document_id,
        page,
        quote,
      },
    }
  })
}
