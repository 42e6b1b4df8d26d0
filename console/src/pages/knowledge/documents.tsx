import { FileText, Trash2 } from 'lucide-react'
import { parley } from '../../api/parley.ts'
import { useSave } from '../../api/save.ts'
import { useMay } from '../../app/permissions.ts'
import { Listing, useList } from '../../parts/list-page.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { bytes } from '../../ui/format.ts'
import { FilterSelect, SearchBox, useListAddress } from '../../ui/list.tsx'
import { Badge } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago } from '../../ui/time.tsx'
import { type Document, documentTones, type Kind, type Source } from './kinds.ts'

const howToBegin: Record<Kind, string> = {
  file: 'Drop files above. They are read at once, and you see here how that went.',
  text: 'Add texts in the settings of this source.',
  web: 'Press “Sync now” to read the site.',
  directory: 'Press “Sync now” to read the folder.',
}

export function Documents({ source, isSyncing }: { source: Source; isSyncing: boolean }) {
  const { search, q, change } = useListAddress()
  const status = search.status as Document['status'] | undefined
  const documents = useList({
    resource: ['knowledge-sources', source.id, 'documents', status],
    read: (asked, options) => parley.knowledgeSources.documents(source.id, { ...asked, status }, options),
    isMoving: () => isSyncing,
  })
  const isFiltered = q !== '' || status !== undefined
  return (
    <>
      <div className="toolbar">
        <SearchBox label="Search documents" value={q} onChange={(text) => change({ q: text, page: undefined })} />
        <FilterSelect
          label="State"
          name="status"
          all="Every state"
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
          <Empty icon={FileText} title={isFiltered ? 'No document fits' : 'No documents yet'}>
            {isFiltered ? 'Try other words or another state.' : howToBegin[source.type]}
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
          { title: 'State', cell: ({ status: state }) => <Badge tone={documentTones[state]}>{state}</Badge> },
          { title: 'Pages', minor: true, numeric: true, cell: ({ pages }) => pages ?? '–' },
          { title: 'Size', minor: true, numeric: true, cell: ({ size }) => bytes(size) },
          { title: 'Changed', minor: true, numeric: true, cell: ({ updated_at: at }) => <Ago at={at} /> },
          { title: '', cell: (document) => <Remove source={source} document={document} /> },
        ]}
      />
    </>
  )
}

function Remove({ source, document }: { source: Source; document: Document }) {
  const may = useMay()
  const remove = useSave({
    touches: ['knowledge-sources', 'rag-tools', 'retrieval-tools'],
    run: () => parley.knowledgeSources.deleteDocument(source.id, document.id),
    done: `${document.name} was deleted`,
  })
  if (!may('write-configuration')) return null
  const comesBack = source.type === 'web' || source.type === 'directory'
  return (
    <span className="row end">
      <Confirm
        trigger={<IconButton icon={Trash2} label={`Delete ${document.name}`} />}
        title={`Delete ${document.name}?`}
        text={`Its text and all that indexes hold of it go with it.${comesBack ? ' The next sync brings it back if it is still in its place.' : ''}`}
        action="Delete document"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
    </span>
  )
}
