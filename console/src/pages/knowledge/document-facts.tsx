import type { Schemas } from '@parley/client'
import { bytes, count } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { type Document, documentTones } from './kinds.ts'

interface FactsProps {
  document: Document
  /** Its text, where it is shown beside. */
  content: Schemas['DocumentContent'] | undefined
}

const mostHeadings = 200

/** What is known of a document, and what its text is divided into. */
export const DocumentFacts = ({ document, content }: FactsProps) => (
  <div className="stack">
    <Card title="About">
      <dl className="facts">
        <dt>State</dt>
        <dd>
          <Badge tone={documentTones[document.status]}>{document.status}</Badge>
        </dd>
        <dt>Type</dt>
        <dd>{document.media_type ?? '–'}</dd>
        <dt>Size</dt>
        <dd>{bytes(document.size)}</dd>
        <dt>Pages</dt>
        <dd>{document.pages ?? '–'}</dd>
        {content && (
          <>
            <dt>Characters</dt>
            <dd>{count(content.length)}</dd>
          </>
        )}
        <dt>Changed</dt>
        <dd>
          <Ago at={document.updated_at} />
        </dd>
        {Object.entries(document.metadata).map(([name, value]) => (
          <div key={name} className="pair">
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
      {content?.warnings.map((warning) => (
        <p key={warning} className="notice warn">
          {warning}
        </p>
      ))}
    </Card>
    {content && content.headings.length > 0 && (
      <Card title="Contents">
        <ul className="contents">
          {content.headings.slice(0, mostHeadings).map(({ start, title, level }) => (
            <li key={start} className={`level-${Math.min(4, level)}`}>
              <a href={`#at-${start}`}>{title}</a>
            </li>
          ))}
        </ul>
      </Card>
    )}
  </div>
)
