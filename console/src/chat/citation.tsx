import { Popover } from '@base-ui/react/popover'
import type { Message } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { useMay } from '../api/permissions.ts'
import { passageUrl } from '../parts/passages.tsx'
import { TextWithTables } from '../parts/text-with-tables.tsx'
import { Button } from '../ui/button.tsx'
import { withoutWraps } from '../ui/markdown/wrapped-lines.ts'
import { download } from './message-attachments.tsx'

type Citation = Message['citations'][number]

/** The [n] of a reply: shows the cited passage and links to it in its document. */
export function CitationButton({ citation, tool }: { citation: Citation; tool: string | null }) {
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
            <blockquote>
              <TextWithTables text={citation.quote} render={withoutWraps} />
            </blockquote>
            {citation.document_id.startsWith('fil_') ? (
              <Button small onClick={() => void download(citation.document_id, citation.source)}>
                Download file
              </Button>
            ) : (
              may('read-configuration') && (
                <Link to={passageUrl(tool ?? '', citation.document_id, citation.start, citation.end)}>
                  Open in document
                </Link>
              )
            )}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
