import type { Schemas } from '@parley/client'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ChevronDown, ChevronUp, Download, FileWarning, RefreshCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { saveAs } from '../../api/save-as.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { withoutIds } from '../../ui/errors.ts'
import { count } from '../../ui/format.ts'
import { useListParams } from '../../ui/list.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Chunks } from './chunks.tsx'
import { WhyHidden } from './document-access.tsx'
import { DocumentFacts } from './document-facts.tsx'
import type { Span } from './document-layout.ts'
import { DocumentText } from './document-text.tsx'
import type { Document } from './source-types.ts'

/** Characters loaded at once, and on each side of a passage. */
const loadLength = 40_000
const contextLength = 12_000
const pollInterval = 2000

const parsePassage = ({ start, end }: Record<string, string | undefined>): Span | null => {
  const span = { start: Number(start ?? Number.NaN), end: Number(end ?? Number.NaN) }
  return Number.isSafeInteger(span.start) && Number.isSafeInteger(span.end) && 0 <= span.start && span.start < span.end
    ? span
    : null
}

export default function DocumentPage() {
  const { id, document: which } = useParams({ strict: false }) as { id: string; document: string }
  const search = useSearch({ strict: false }) as Record<string, string | undefined>
  const passage = parsePassage(search)
  const document = useQuery({
    queryKey: ['knowledge-sources', id, 'documents', which],
    queryFn: ({ signal }) => parley.knowledgeSources.document(id, which, { signal }),
    refetchInterval: ({ state }) => state.data?.status === 'pending' && pollInterval,
  })
  const back = { to: `/knowledge/${id}`, label: 'Source' }
  if (document.error)
    return (
      <>
        <WhyHidden source={id} document={which} />
        <ErrorPanel error={document.error} onRetry={() => void document.refetch()} />
      </>
    )
  if (!document.data)
    return (
      <PageFrame title="Document" back={back}>
        <Loading />
      </PageFrame>
    )
  return (
    <PageFrame title={document.data.name} back={back} actions={<DocumentActions document={document.data} />}>
      <DocumentBody key={`${which} ${search.start} ${search.end}`} document={document.data} passage={passage} />
    </PageFrame>
  )
}

function DocumentBody({ document, passage }: { document: Document; passage: Span | null }) {
  const { search, change } = useListParams()
  const [range, setRange] = useState<Span>(() =>
    passage
      ? { start: Math.max(0, passage.start - contextLength), end: passage.end + contextLength }
      : { start: 0, end: loadLength },
  )
  const content = useQuery({
    queryKey: ['knowledge-sources', document.knowledge_source_id, 'documents', document.id, 'content', range],
    queryFn: ({ signal }) =>
      parley.knowledgeSources.documentContent(document.knowledge_source_id, document.id, range, { signal }),
    enabled: document.status !== 'pending',
    retry: false,
    placeholderData: keepPreviousData,
  })
  const source = useQuery({
    queryKey: ['knowledge-sources', document.knowledge_source_id],
    queryFn: ({ signal }) => parley.knowledgeSources.get(document.knowledge_source_id, { signal }),
  })
  const tab = search.tab ?? 'text'
  const text = <TextTab document={document} passage={passage} content={content} range={range} onRange={setRange} />
  const page = content.data?.pages.find(({ end }) => passage && passage.start < end)?.number
  return (
    <div className={tab === 'original' ? '' : 'reading document-page'}>
      <Card>
        {document.error && <p className="notice bad">{withoutIds(document.error)}</p>}
        <Tabs
          label="Document views"
          value={tab}
          onChange={(next) => change({ tab: next === 'text' ? undefined : next, page: undefined })}
          tabs={[
            { value: 'text', label: 'Text', content: text },
            ...(document.media_type === 'application/pdf' && source.data?.type === 'file' && !document.parent_id
              ? [
                  {
                    value: 'original',
                    label: 'Original',
                    content: (
                      <div className="beside">
                        <iframe title="Original" src={originalUrl(document, page)} />
                        <div>{text}</div>
                      </div>
                    ),
                  },
                ]
              : []),
            { value: 'chunks', label: 'Chunks', content: <Chunks document={document} /> },
          ]}
        />
      </Card>
      {tab !== 'original' && (
        <DocumentFacts document={document} content={tab === 'chunks' ? undefined : content.data} />
      )}
    </div>
  )
}

/** Shown by the browser's own reader, which can search and print. */
const originalUrl = ({ knowledge_source_id: source, id }: Document, page = 1): string =>
  `/api/knowledge-sources/${source}/documents/${id}/file?disposition=inline#page=${page}`

interface TextTabProps {
  document: Document
  passage: Span | null
  content: UseQueryResult<Schemas['DocumentContent']>
  range: Span
  onRange: (range: Span) => void
}

function TextTab({ document, passage, content, range, onRange }: TextTabProps) {
  if (document.status === 'pending')
    return (
      <Empty icon={FileWarning} title="Not processed yet">
        The text appears here once the document is processed.
      </Empty>
    )
  // A document that failed already shows its error above.
  if (content.error)
    return document.error ? null : <ErrorPanel error={content.error} onRetry={() => void content.refetch()} />
  const shown = content.data
  if (!shown) return <Loading />
  return (
    <>
      {shown.start > 0 && (
        <Button
          icon={ChevronUp}
          busy={content.isFetching}
          onClick={() => onRange({ ...range, start: Math.max(0, range.start - loadLength) })}
        >
          Show previous text
        </Button>
      )}
      {shown.length === 0 && <p className="muted">This document has no text.</p>}
      <DocumentText content={shown} passage={passage} />
      {shown.end < shown.length && (
        <Button
          icon={ChevronDown}
          busy={content.isFetching}
          onClick={() => onRange({ ...range, end: range.end + loadLength })}
        >
          Show more ({count(shown.length - shown.end)} characters)
        </Button>
      )}
    </>
  )
}

function DocumentActions({ document }: { document: Document }) {
  const mayWrite = useMay()('write-configuration')
  const { knowledge_source_id: source, id, name } = document
  const sync = useSave({
    invalidates: ['knowledge-sources'],
    run: () => parley.knowledgeSources.syncDocument(source, id),
    toast: `Reading ${name} again`,
  })
  const download = useSave({
    invalidates: [],
    run: async () => saveAs(await parley.knowledgeSources.documentFile(source, id), name),
  })
  return (
    <>
      {!document.parent_id && (
        <Button icon={Download} busy={download.isPending} onClick={() => download.mutate(undefined)}>
          Download
        </Button>
      )}
      {mayWrite && (
        <>
          <Button icon={RefreshCw} busy={sync.isPending} onClick={() => sync.mutate(undefined)}>
            Sync
          </Button>
          <DeleteDocument document={document} />
        </>
      )}
    </>
  )
}

function DeleteDocument({ document }: { document: Document }) {
  const navigate = useNavigate()
  const remove = useSave({
    invalidates: ['knowledge-sources', 'rag-tools', 'retrieval-tools'],
    run: () => parley.knowledgeSources.deleteDocument(document.knowledge_source_id, document.id),
    toast: `${document.name} deleted`,
    onDone: () => void navigate({ to: `/knowledge/${document.knowledge_source_id}` }),
  })
  return (
    <Confirm
      trigger={<IconButton icon={Trash2} label="Delete document" />}
      title={`Delete ${document.name}?`}
      text="Its text and index entries are deleted too."
      action="Delete document"
      onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
    />
  )
}
