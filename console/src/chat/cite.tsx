import { Popover } from '@base-ui/react/popover'
import type { Message } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { useMay } from '../app/permissions.ts'
import { passageAddress } from '../parts/passages.tsx'

type Citation = Message['citations'][number]

/** The [n] of a reply: shows the passage it rests on, and leads to it in its document. */
export function Cite({ citation, tool }: { citation: Citation; tool: string | null }) {
  const may = useMay()
  return (
    <Popover.Root>
      <Popover.Trigger className="cite" aria-label={`Source ${citation.index}: ${citation.source}`}>
        {citation.index}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="positioner" sideOffset={6}>
          <Popover.Popup className="popover">
            <Popover.Title>{citation.source}</Popover.Title>
            <Popover.Description className="muted small">Page {citation.page}</Popover.Description>
            <blockquote>{citation.quote}</blockquote>
            {may('read-configuration') && (
              <Link to={passageAddress(tool ?? '', citation.document_id, citation.start, citation.end)}>
                Open it in the document
              </Link>
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
