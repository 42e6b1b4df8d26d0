import { FileText, Trash2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { useSave } from '../../api/save.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { bytes } from '../../ui/format.ts'
import { FilterSelect, SearchBox, useListParams } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { type Document, documentTones, type Source, type SourceType } from './source-types.ts'

const emptyHints: Record<SourceType, string> = {
  file: 'Drop files above to upload them. Their status appears here.',
  text: 'Add texts in the Settings tab.',
  web: 'Select “Sync now” to crawl the website.',
  directory: 'Select “Sync now” to read the folder.',
}

export function Documents({ source, isSyncing }: { source: Source; isSyncing: boolean }) {
  const { search, q, change } = useListParams()
  const status = search.status as Document['status'] | undefined
  const documents = useList({
    resource: ['knowledge-sources', source.id, 'documents', status],
    read: (query, options) => parley.knowledgeSources.documents(source.id, { ...query, status }, options),
    shouldPoll: () => isSyncing,
  })
  const isFiltered = q !== '' || status !== undefined
  return (
    <>
      <div className="toolbar">
        <SearchBox label="Search documents" value={q} onChange={(text) => change({ q: text, page: undefined })} />
        <FilterSelect
          label="Status"
          name="status"
          all="All statuses"
          options={[
            { value: 'indexed', label: 'Indexed' },
            { value: 'pending', label: 'Pending' },
            { value: 'failed', label: 'Failed' },
          ]}
        />
      </div>
      <Listing
        list={documents}
        label="Documents"
        to={({ id }) => `/knowledge/${source.id}/documents/${id}`}
        empty={
          <Empty icon={FileText} title={isFiltered ? 'No matching documents' : 'No documents yet'}>
            {isFiltered ? 'Try a different search or status.' : emptyHints[source.type]}
          </Empty>
        }
        columns={[
          {
            title: 'Name',
            cell: ({ name, error }) => (
              <>
                {name}
                {error && <span className="bad-text small two-lines">{error}</span>}
              </>
            ),
          },
          {
            title: 'Status',
            cell: ({ status: state, pages_without_text: unread, pages }) => (
              <>
                <Badge tone={documentTones[state]}>{state}</Badge>
                {unread ? <small> {`${unread} of ${pages} pages had no readable text`}</small> : null}
              </>
            ),
          },
          { title: 'Pages', minor: true, numeric: true, cell: ({ pages }) => pages ?? '–' },
          { title: 'Size', minor: true, numeric: true, cell: ({ size }) => bytes(size) },
          { title: 'Updated', minor: true, numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
          { title: '', cell: (document) => <DeleteDocument source={source} document={document} /> },
        ]}
      />
    </>
  )
}

function DeleteDocument({ source, document }: { source: Source; document: Document }) {
  const may = useMay()
  const remove = useSave({
    invalidates: ['knowledge-sources', 'rag-tools', 'retrieval-tools'],
    run: () => parley.knowledgeSources.deleteDocument(source.id, document.id),
    toast: `${document.name} deleted`,
  })
  if (!may('write-configuration')) return null
  const returnsWithSync = source.type === 'web' || source.type === 'directory'
  return (
    <span className="row end">
      <Confirm
        trigger={<IconButton icon={Trash2} label={`Delete ${document.name}`} />}
        title={`Delete ${document.name}?`}
        text={`Its text and index entries are deleted too.${returnsWithSync ? ' The next sync adds it again if it still exists at the source.' : ''}`}
        action="Delete document"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
    </span>
  )
}
