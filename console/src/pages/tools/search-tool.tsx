import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ComponentType, useState } from 'react'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged, useSave } from '../../api/save.ts'
import { type DraftProps, ToolNameFields } from '../../parts/draft-fields.tsx'
import { changedFields } from '../../parts/drafts.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { IndexStatus, isIndexing } from '../../parts/index-status.tsx'
import { SaveBar } from '../../parts/save-bar.tsx'
import { fieldErrors } from '../../ui/errors.ts'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { back, ToolFrame } from './frame.tsx'
import { SearchFields, type SearchSettings } from './search-fields.tsx'
import { type RagTool, type RetrievalTool, toolTypes } from './tool-types.ts'

/** The differences between RAG and retrieval tools. */
export interface SearchToolKind<Tool, Draft> {
  kind: 'rag' | 'retrieval'
  resource: {
    get(id: string, options: { signal: AbortSignal }): Promise<Tool>
    update(id: string, changes: Partial<Draft>, options?: { ifMatch: string }): Promise<Tool>
    delete(id: string): Promise<void>
  }
  draftOf: (tool: Tool) => Draft
  /** Fields below the name, such as the sources. */
  Details: ComponentType<DraftProps<Draft>>
  /** Extra settings in their own cards. */
  More?: ComponentType<DraftProps<Draft>>
  TryOut: ComponentType<{ tool: Tool }>
}

type CommonDraft = SearchSettings & { name: string; description: string | null }

const pollInterval = 5000

/** The page of a RAG or retrieval tool: index status, settings and a panel to try it. */
export function SearchToolPage<Tool extends RagTool | RetrievalTool, Draft extends CommonDraft>(
  of: SearchToolKind<Tool, Draft>,
) {
  const { kind, resource, TryOut } = of
  const { id } = useParams({ strict: false }) as { id: string }
  const tool = useQuery({
    queryKey: [`${kind}-tools`, id],
    queryFn: ({ signal }) => resource.get(id, { signal }),
    refetchInterval: ({ state }) => state.data && isIndexing(state.data) && pollInterval,
  })
  if (tool.error) return <ErrorPanel error={tool.error} onRetry={() => void tool.refetch()} />
  if (!tool.data)
    return (
      <PageFrame title={`${toolTypes[kind].label} tool`} back={back}>
        <Loading />
      </PageFrame>
    )
  return (
    <ToolFrame
      kind={kind}
      tool={tool.data}
      remove={resource.delete}
      editor={<Editor key={`${id} ${tool.data.updated_at}`} of={of} tool={tool.data} />}
      tryOut={<TryOut key={id} tool={tool.data} />}
    />
  )
}

interface EditorProps<Tool, Draft> {
  of: SearchToolKind<Tool, Draft>
  tool: Tool
}

function Editor<Tool extends RagTool | RetrievalTool, Draft extends CommonDraft>({
  of: { kind, resource, draftOf, Details, More },
  tool,
}: EditorProps<Tool, Draft>) {
  const mayWrite = useMay()('write-configuration')
  const [draft, setDraft] = useState(() => draftOf(tool))
  const [isValid, setIsValid] = useState(true)
  const [round, setRound] = useState(0)
  const changes = changedFields(draftOf(tool), draft)
  const save = useSave({
    invalidates: [`${kind}-tools`, 'tools'],
    run: () => resource.update(tool.id, changes, onlyIfUnchanged(tool)),
    toast: ({ name }) => `${name} saved`,
  })
  const part = {
    draft,
    change: (next: Partial<CommonDraft> | Partial<Draft>) => setDraft((now) => ({ ...now, ...next })),
    errorAt: fieldErrors(save.error),
  }
  return (
    <div className="sections">
      <Card title="Index status">
        <IndexStatus {...tool} />
      </Card>
      <fieldset key={round} className="unframed sections" disabled={!mayWrite}>
        <Card title="Details">
          <ToolNameFields {...part} />
          <Details {...part} />
        </Card>
        {More && <More {...part} />}
        <SearchFields {...part} onValid={setIsValid} />
      </fieldset>
      {mayWrite && (
        <SaveBar
          changed={Object.keys(changes)}
          isValid={isValid}
          busy={save.isPending}
          onSave={() => save.mutate(undefined)}
          onDiscard={() => {
            setDraft(draftOf(tool))
            setIsValid(true)
            setRound(round + 1)
          }}
        />
      )}
    </div>
  )
}
