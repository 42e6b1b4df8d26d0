import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useMay } from '../../api/permissions.ts'
import { onlyIfUnchanged } from '../../api/save.ts'
import { Editor } from '../../parts/editor.tsx'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { type Fields, useForm } from '../../parts/form.ts'
import { IndexStatus, isIndexing } from '../../parts/index-status.tsx'
import { Card, PageFrame } from '../../ui/page.tsx'
import { Loading } from '../../ui/states.tsx'
import { back, ToolFrame } from './frame.tsx'
import { SearchFields, type SearchSettings, ToolNameFields } from './search-fields.tsx'
import { type RagTool, type RetrievalTool, toolTypes } from './tool-types.ts'

/** The differences between RAG and retrieval tools. */
export interface SearchToolKind<Tool, Draft> {
  kind: 'rag' | 'retrieval'
  resource: {
    get(id: string, options: { signal: AbortSignal }): Promise<Tool>
    update(id: string, changes: Partial<Draft>, options?: { ifMatch: string }): Promise<Tool>
    delete(id: string): Promise<void>
  }
  toDraft: (tool: Tool) => Draft
  /** Fields below the name, such as the sources. */
  Details: ComponentType<{ form: Fields<Draft> }>
  /** Extra settings in their own cards. */
  More?: ComponentType<{ form: Fields<Draft> }>
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
      editor={<SearchEditor key={`${id} ${tool.data.updated_at}`} of={of} tool={tool.data} />}
      tryOut={<TryOut key={id} tool={tool.data} />}
    />
  )
}

interface EditorProps<Tool, Draft> {
  of: SearchToolKind<Tool, Draft>
  tool: Tool
}

function SearchEditor<Tool extends RagTool | RetrievalTool, Draft extends CommonDraft>({
  of: { kind, resource, toDraft, Details, More },
  tool,
}: EditorProps<Tool, Draft>) {
  const mayWrite = useMay()('write-configuration')
  const form = useForm({
    saved: toDraft(tool),
    invalidates: [`${kind}-tools`, 'tools'],
    run: (_, changes) => resource.update(tool.id, changes, onlyIfUnchanged(tool)),
    toast: ({ name }) => `${name} saved`,
  })
  // TypeScript does not infer this from `Draft extends CommonDraft`.
  const common = form as unknown as Fields<CommonDraft>
  return (
    <Editor form={form} mayWrite={mayWrite}>
      <Card title="Index status">
        <IndexStatus {...tool} />
      </Card>
      <Card title="Details">
        <ToolNameFields form={common} />
        <Details form={form} />
      </Card>
      {More && <More form={form} />}
      <SearchFields form={common} />
    </Editor>
  )
}
