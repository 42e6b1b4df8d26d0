import type { Schemas } from '@parley/client'
import { Link } from '@tanstack/react-router'
import { bytes, count } from '../../ui/format.ts'
import { Badge, Card } from '../../ui/page.tsx'
import { Ago } from '../../ui/time.tsx'
import { DocumentAccess } from './document-access.tsx'
import { EditMetadata } from './edit-metadata.tsx'
import { type Document, documentTones } from './source-types.ts'

interface FactsProps {
  document: Document
  /** The text, if it is shown. */
  content: Schemas['DocumentContent'] | undefined
}

const maxHeadings = 200

/** The properties and the table of contents of a document. */
export const DocumentFacts = ({ document, content }: FactsProps) => (
  <div className="stack">
    <Card title="About">
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          <Badge tone={documentTones[document.status]}>{document.status}</Badge>
        </dd>
        <dt>Type</dt>
        <dd>{document.media_type ?? '–'}</dd>
        <dt>Size</dt>
        <dd>{bytes(document.size)}</dd>
        <dt>Pages</dt>
        <dd>
          {document.pages ?? '–'}
          {document.pages_without_text ? ` (${document.pages_without_text} without readable text)` : ''}
        </dd>
        {content && (
          <>
            <dt>Characters</dt>
            <dd>{count(content.length)}</dd>
          </>
        )}
        {document.parent_id && (
          <>
            <dt>Attached to</dt>
            <dd>
              <Link to={`/knowledge/${document.knowledge_source_id}/documents/${document.parent_id}`}>Mail</Link>
            </dd>
          </>
        )}
        <dt>Updated</dt>
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
      {!document.parent_id && <EditMetadata document={document} />}
      {content?.warnings.map((warning) => (
        <p key={warning} className="notice warn">
          {warning}
        </p>
      ))}
    </Card>
    <DocumentAccess document={document} />
    {content && content.headings.length > 0 && (
      <Card title="Contents">
        <ul className="contents">
          {content.headings.slice(0, maxHeadings).map(({ start, title, level }) => (
            <li key={start} className={`level-${Math.min(4, level)}`}>
              <a href={`#at-${start}`}>{title}</a>
            </li>
          ))}
        </ul>
      </Card>
    )}
  </div>
)
