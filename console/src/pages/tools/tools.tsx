import { useQuery } from '@tanstack/react-query'
import { FileJson, Plus, ShieldCheck, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { parley } from '../../api/parley.ts'
import { useMay } from '../../api/permissions.ts'
import { ErrorPanel } from '../../parts/error-panel.tsx'
import { IndexBadge } from '../../parts/index-status.tsx'
import { nameColumn } from '../../parts/list-page.tsx'
import { Button } from '../../ui/button.tsx'
import { useListParams } from '../../ui/list.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Badge, PageFrame } from '../../ui/page.tsx'
import { Empty, Loading } from '../../ui/states.tsx'
import { Table } from '../../ui/table.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Ago } from '../../ui/time.tsx'
import { Import } from './import.tsx'
import { NewApiTool } from './new-api-tool.tsx'
import { NewSearchTool } from './new-search-tool.tsx'
import { type ToolType, toolTypes } from './tool-types.ts'

interface Row {
  id: string
  kind: ToolType
  name: string
  description: string | null
  created_at: string
  status: ReactNode
}

const maxTools = 500

function useRows() {
  return useQuery({
    queryKey: ['tools', 'list'],
    queryFn: async ({ signal }): Promise<Row[]> => {
      const [rag, retrieval, api] = await Promise.all([
        parley.ragTools.list({ limit: 100 }, { signal }).all(maxTools),
        parley.retrievalTools.list({ limit: 100 }, { signal }).all(maxTools),
        parley.apiTools.list({ limit: 100 }, { signal }).all(maxTools),
      ])
      const rows: Row[] = [
        ...rag.map((tool) => ({ ...tool, kind: 'rag' as const, status: <IndexBadge status={tool.status} /> })),
        ...retrieval.map((tool) => ({
          ...tool,
          kind: 'retrieval' as const,
          status: <IndexBadge status={tool.status} />,
        })),
        ...api.map((tool) => ({
          ...tool,
          kind: tool.type === 'mcp' ? ('mcp' as const) : ('api' as const),
          status: (
            <span className="row">
              {tool.type === 'http' && <Badge>{tool.method}</Badge>}
              {tool.requires_approval !== false && (
                <Badge tone="warn">
                  <ShieldCheck aria-hidden size={12} /> approval
                </Badge>
              )}
            </span>
          ),
        })),
      ]
      return rows.sort((one, other) => other.created_at.localeCompare(one.created_at))
    },
  })
}

export default function Tools() {
  const may = useMay()
  const { search, change } = useListParams()
  const tools = useRows()
  const create = may('write-configuration') && (
    <Menu
      label="New tool"
      trigger={null}
      render={
        <Button variant="primary" icon={Plus}>
          New tool
        </Button>
      }
    >
      {Object.entries(toolTypes).map(([kind, { label, icon }]) => (
        <MenuItem key={kind} icon={icon} onClick={() => change({ new: kind })}>
          {kind === 'mcp' ? label : `${label} tool`}
        </MenuItem>
      ))}
      <MenuItem icon={FileJson} onClick={() => change({ new: 'import' })}>
        Import from OpenAPI
      </MenuItem>
    </Menu>
  )
  const shown = (kind: string): Row[] => tools.data?.filter((row) => kind === 'all' || row.kind === kind) ?? []
  const tab = (value: string, label: string) => ({
    value,
    label: tools.data ? `${label} (${shown(value).length})` : label,
    content: <List rows={shown(value)} kind={value} create={create} isLoading={tools.isPending} />,
  })
  return (
    <PageFrame title="Tools" lead="Let agents search your knowledge and call APIs." actions={create}>
      {tools.error ? (
        <ErrorPanel error={tools.error} onRetry={() => void tools.refetch()} />
      ) : (
        <Tabs
          label="Tool types"
          value={search.kind && search.kind in toolTypes ? search.kind : 'all'}
          onChange={(kind) => change({ kind: kind === 'all' ? undefined : kind })}
          tabs={[tab('all', 'All'), ...Object.entries(toolTypes).map(([kind, { label }]) => tab(kind, label))]}
        />
      )}
      {create && <NewTool kind={search.new} onClose={() => change({ new: undefined })} />}
    </PageFrame>
  )
}

/** The create dialog that the URL selects. */
function NewTool({ kind, onClose }: { kind: string | undefined; onClose: () => void }) {
  if (kind === 'rag' || kind === 'retrieval') return <NewSearchTool key={kind} kind={kind} onClose={onClose} />
  if (kind === 'api' || kind === 'mcp')
    return <NewApiTool key={kind} type={kind === 'mcp' ? 'mcp' : 'http'} onClose={onClose} />
  return kind === 'import' ? <Import onClose={onClose} /> : null
}

interface ListProps {
  rows: Row[]
  kind: string
  create: ReactNode
  isLoading: boolean
}

function List({ rows, kind, create, isLoading }: ListProps) {
  if (isLoading) return <Loading />
  if (rows.length === 0)
    return (
      <Empty icon={Wrench} title={kind === 'all' ? 'No tools yet' : 'No tools of this type yet'} action={create}>
        {kind === 'all' ? (
          <>
            {Object.entries(toolTypes).map(([name, { label, text }]) => (
              <p key={name}>
                <strong>{label}</strong>: {text}
              </p>
            ))}
            <p>Create a tool, then select it in an agent’s settings.</p>
          </>
        ) : (
          toolTypes[kind as ToolType].text
        )}
      </Empty>
    )
  return (
    <Table
      label="Tools"
      rows={rows}
      rowKey={({ id }) => id}
      to={({ kind, id }) => `/tools/${kind === 'mcp' ? 'api' : kind}/${id}`}
      columns={[
        nameColumn,
        { title: 'Type', minor: true, cell: (row) => toolTypes[row.kind].label },
        { title: 'Status', cell: ({ status }) => status },
        { title: 'Created', minor: true, numeric: true, cell: ({ created_at: at }) => <Ago at={at} /> },
      ]}
    />
  )
}
