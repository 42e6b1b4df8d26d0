import { Popover } from '@base-ui/react/popover'
import type { Message } from '@parley/client'

type Citation = Message['citations'][number]

/** The [n] of a reply: opens the passage it rests on. */
export const Cite = ({ citation }: { citation: Citation }) => (
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
        </Popover.Popup>
      </Popover.Positioner>
    </Popover.Portal>
  </Popover.Root>
)
