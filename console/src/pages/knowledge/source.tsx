import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CalendarClock, RefreshCw, Trash2, Wrench } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay, useMayPreview } from '../../api/permissions.ts'
import { queries } from '../../api/queries.ts'
import { useSave } from '../../api/save.ts'
import { AskDocuments } from '../../parts/ask-documents.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { SeenAsButton } from '../../parts/seen-as.tsx'
import { Button, IconButton, LinkButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useListParams } from '../../ui/list.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Documents } from './documents.tsx'
import { SourceSearch } from './search.tsx'
import { SourceSettings } from './settings.tsx'
import { type Source, sourceTypes } from './source-types.ts'
import { isRefining, SyncState, Syncs } from './syncs.tsx'
import { Tables } from './tables.tsx'
import { Upload } from './upload.tsx'

const back = { to: '/knowledge', label: 'Knowledge' }
const pollInterval = 3000

export default function SourcePage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const source = useQuery({
    queryKey: ['knowledge-sources', id],
    queryFn: ({ signal }) => parley.knowledgeSources.get(id, { signal }),
    refetchInterval: ({ state }) => state.data?.status === 'active' && isRefining(state.data) && pollInterval,
  })
  if (source.error) return <ErrorPanel error={source.error} onRetry={() => void source.refetch()} />
  if (!source.data)
    return (
      <PageFrame title="Source" back={back}>
        <Loading />
      </PageFrame>
    )
  return <SourceView key={id} source={source.data} />
}

/** Polls only the sync record while a sync runs, and invalidates the rest when it ends. */
function useSyncs(source: Source) {
  const isSyncing = source.status === 'syncing'
  const syncs = useQuery({
    queryKey: ['knowledge-sources', source.id, 'syncs'],
    queryFn: ({ signal }) => parley.knowledgeSources.syncs(source.id, { limit: 20 }, { signal }).page(),
    refetchInterval: isSyncing && pollInterval,
  })
  const latest = syncs.data?.data[0]
  const isDone = isSyncing && latest !== undefined && latest.status !== 'running'
  const done = useRef<string | null>(null)
  useEffect(() => {
    const end = latest && `${latest.id} ${latest.finished_at}`
    if (!isDone || !end || done.current === end) return
    done.current = end
    void queries.invalidateQueries({ queryKey: ['knowledge-sources'] })
    void queries.invalidateQueries({ queryKey: ['rag-tools'] })
    void queries.invalidateQueries({ queryKey: ['retrieval-tools'] })
  }, [isDone, latest])
  return { syncs, latest, isSyncing }
}

function SourceView({ source }: { source: Source }) {
  const may = useMay()
  const { search, change } = useListParams()
  const { syncs, latest, isSyncing } = useSyncs(source)
  const mayWrite = may('write-configuration')
  const mayPreview = useMayPreview()
  const tabs = [
    {
      value: 'documents',
      label: 'Documents',
      content: (
        <div className="stack">
          {mayWrite && source.type === 'file' && <Upload source={source} />}
          <Documents source={source} isSyncing={isSyncing} />
        </div>
      ),
    },
    { value: 'tables', label: 'Tables', content: <Tables source={source} isSyncing={isSyncing} /> },
    ...(mayPreview ? [{ value: 'search', label: 'Search', content: <SourceSearch source={source} /> }] : []),
    {
      value: 'syncs',
      label: 'Sync history',
      content: (
        <div className="stack">
          {mayWrite && (
            <div className="row">
              <LinkButton to="/schedules" search={{ new: 'yes', sync: source.id }} icon={CalendarClock}>
                Sync on a schedule
              </LinkButton>
            </div>
          )}
          <Syncs rows={syncs.data?.data} />
        </div>
      ),
    },
    {
      value: 'settings',
      label: 'Settings',
      keep: mayWrite,
      content: <SourceSettings key={source.updated_at} source={source} mayWrite={mayWrite} />,
    },
  ]
  return (
    <PageFrame
      title={source.name}
      lead={source.description ?? sourceTypes[source.type].text}
      back={back}
      actions={
        mayPreview && (
          <>
            <SeenAsButton />
            {mayWrite && <Actions source={source} />}
          </>
        )
      }
    >
      <SyncState source={source} latest={latest} />
      <Tabs
        label="Source sections"
        tabs={tabs}
        value={tabs.some(({ value }) => value === search.tab) ? (search.tab ?? '') : 'documents'}
        onChange={(tab) => change({ tab, page: undefined, q: undefined })}
      />
    </PageFrame>
  )
}

function Actions({ source }: { source: Source }) {
  const navigate = useNavigate()
  const sync = useSave({
    invalidates: ['knowledge-sources'],
    run: () => parley.knowledgeSources.sync(source.id),
    toast: 'Sync started',
  })
  const remove = useSave({
    invalidates: ['knowledge-sources', 'status'],
    run: () => parley.knowledgeSources.delete(source.id),
    toast: `${source.name} deleted`,
    onDone: () => void navigate({ to: '/knowledge', ignoreBlocker: true }),
  })
  return (
    <>
      <AskDocuments source={source} primary />
      <LinkButton to="/tools" search={{ new: 'rag', source: source.id }} icon={Wrench}>
        Create tool
      </LinkButton>
      <Button
        icon={RefreshCw}
        busy={sync.isPending}
        disabled={source.status === 'syncing'}
        onClick={() => sync.mutate(undefined)}
      >
        Sync now
      </Button>
      <Confirm
        trigger={<IconButton icon={Trash2} label="Delete source" />}
        title={`Delete ${source.name}?`}
        text="Its documents and index entries are deleted too. You cannot delete a source that a tool uses."
        action="Delete source"
        onConfirm={() => remove.mutateAsync(undefined).catch(() => {})}
      />
    </>
  )
}
