import type { MessageRow } from '../../runs/reply.ts'
import { passageUrl } from '../annotations.ts'

const marker = /\[(\d+)\]/g

/** The citations of a text as OpenAI's annotations, with fields of our own. */
export function annotationsIn(text: string, { citations, tool_calls }: MessageRow, origin: string): object[] {
  return [...text.matchAll(marker)].flatMap((found) => {
    const citation = citations.find(({ index }) => index === Number(found[1]))
    if (!citation) return []
    const { index, source, document_id, page, quote, tool_call_id } = citation
    const tool = tool_calls.find(({ id }) => id === tool_call_id)?.tool_id ?? ''
    return [
      {
        type: 'url_citation',
        start_index: found.index,
        end_index: found.index + found[0].length,
        title: source,
        url: passageUrl(citation, tool, origin),
        index,
        document_id,
        page,
        quote,
      },
    ]
  })
}
